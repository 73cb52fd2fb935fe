package io.weir.engine.status;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Gathers the figures of a job's checkpoints. Written by the job's thread, read by any. */
public final class CheckpointStatistics {
    private static final long MAX_DURATION_NS = TimeUnit.HOURS.toNanos(1);
    private static final int SIGNIFICANT_DIGITS = 2;

    private final Histogram durationNs = new Histogram(MAX_DURATION_NS, SIGNIFICANT_DIGITS);
    private long completed;
    private long aborted;
    private long lastCompletedId;
    private long lastBytes;
    private long totalBytes;
    private String lastAbortReason;
    private List<TaskCheckpoint> lastTasks = List.of();

    /**
     * A checkpoint has completed.
     *
     * @param checkpointId of the checkpoint.
     * @param bytes that were written for it.
     * @param tookNs from trigger until stored.
     * @param tasks what it cost them.
     */
    public synchronized void completed(
            final long checkpointId, final long bytes, final long tookNs, final List<TaskCheckpoint> tasks) {
        lastTasks = tasks;
        completed++;
        lastCompletedId = checkpointId;
        lastBytes = bytes;
        totalBytes += bytes;
        durationNs.recordValue(Math.max(0, Math.min(tookNs, MAX_DURATION_NS)));
    }

    /**
     * A checkpoint was given up.
     *
     * @param reason for people.
     */
    public synchronized void aborted(final String reason) {
        aborted++;
        lastAbortReason = reason;
    }

    /**
     * The figures as of now.
     *
     * @return a copy.
     */
    public synchronized CheckpointStatus read() {
        return new CheckpointStatus(
                completed,
                aborted,
                lastCompletedId,
                lastBytes,
                totalBytes,
                lastAbortReason,
                durationNs.copy(),
                lastTasks);
    }
}
