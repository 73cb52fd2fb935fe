package io.weir.engine.worker;

import java.util.concurrent.TimeUnit;

/**
 * Decides about one worker whose thread does not come back from a task: it is interrupted when the timeout has passed, and given up
 * when as much has passed again, but at most 10 s. Between two looks an eighth of the timeout counts at most, for a process that
 * was stopped in between was not stuck. Pure; the watching thread's.
 */
final class Watchdog {
    private static final long MOST_GRACE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int LEAST_LOOKS = 8;

    private final long timeoutNs;
    private final long mostNs;
    private long turn;
    private long heldNs;
    private long lastLookNs;
    private boolean interrupted;

    /**
     * A worker that was not looked at yet.
     *
     * @param timeoutNs positive.
     */
    Watchdog(final long timeoutNs) {
        this.timeoutNs = timeoutNs;
        mostNs = Math.max(1, timeoutNs / LEAST_LOOKS);
    }

    /**
     * Looks at the worker.
     *
     * @param seen number of its turn.
     * @param nowNs of any clock that never steps back.
     */
    Verdict look(final long seen, final long nowNs) {
        final long passedNs = Math.min(mostNs, nowNs - lastLookNs);
        lastLookNs = nowNs;
        if (seen != turn || !Turn.isInTask(seen)) {
            turn = seen;
            heldNs = 0;
            interrupted = false;
            return Verdict.NONE;
        }
        heldNs += passedNs;
        if (!interrupted) {
            interrupted = heldNs >= timeoutNs;
            return interrupted ? Verdict.INTERRUPT : Verdict.NONE;
        }
        return heldNs - timeoutNs >= Math.min(timeoutNs, MOST_GRACE_NS) ? Verdict.GIVE_UP : Verdict.NONE;
    }

    /** How long the turn has been seen. */
    long heldNs() {
        return heldNs;
    }

    /** What is to be done. */
    enum Verdict {
        /** Nothing. */
        NONE,
        /** The job is told, and user code interrupted, once. */
        INTERRUPT,
        /** Another thread takes the worker over. */
        GIVE_UP
    }
}
