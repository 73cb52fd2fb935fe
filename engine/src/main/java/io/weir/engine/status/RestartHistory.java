package io.weir.engine.status;

import io.weir.engine.status.JobStatus.Restart;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The restarts of a job: a count of all, and the newest of them, for a job may restart for months. Written by the job's thread, read by any. */
public final class RestartHistory {
    /** How many of the newest are kept. */
    public static final int KEPT = 100;

    private final Deque<Restart> newest = new ArrayDeque<>();
    private long count;

    /**
     * An attempt has failed and another one is to follow.
     *
     * @param attempt that failed.
     * @param cause why, in one line.
     */
    public synchronized void failed(final long attempt, final String cause) {
        count++;
        newest.add(new Restart(attempt, cause, 0, 0));
        if (newest.size() > KEPT) {
            newest.remove();
        }
    }

    /**
     * All tasks run again, after the failure that was told last.
     *
     * @param restoredCheckpointId that they began with, 0 if they began empty.
     * @param downtimeNs since the failure.
     */
    public synchronized void runsAgain(final long restoredCheckpointId, final long downtimeNs) {
        final Restart last = newest.removeLast();
        newest.add(new Restart(last.attempt(), last.cause(), restoredCheckpointId, downtimeNs));
    }

    /**
     * The newest restarts.
     *
     * @return a copy, the oldest first.
     */
    public synchronized List<Restart> newest() {
        return List.copyOf(newest);
    }

    /**
     * How many there were.
     *
     * @return the number of all.
     */
    public synchronized long count() {
        return count;
    }
}
