package io.weir.engine.coordinator;

import java.util.Arrays;
import java.util.BitSet;

/** The tasks that have finished, and those that have seen the end of their data and wait for a last checkpoint. */
final class EndingTasks {
    private static final long NOT_WAITING = Long.MAX_VALUE;

    private final BitSet finished = new BitSet();
    private final long[] waitsForId;

    EndingTasks(int taskCount) {
        waitsForId = new long[taskCount];
        Arrays.fill(waitsForId, NOT_WAITING);
    }

    /** Some tasks begin anew. */
    void reset(BitSet restarted) {
        finished.andNot(restarted);
        restarted.stream().forEach(task -> waitsForId[task] = NOT_WAITING);
    }

    /** A copy. */
    BitSet finished() {
        return (BitSet) finished.clone();
    }

    /** A copy: the tasks that have ended their data, and so send no barriers. */
    BitSet silent() {
        BitSet silent = finished();
        for (int task = 0; task < waitsForId.length; task++) {
            if (waitsForId[task] != NOT_WAITING) {
                silent.set(task);
            }
        }
        return silent;
    }

    /** Whether every task has seen the end of its data. */
    boolean haveAllEnded() {
        return silent().cardinality() == waitsForId.length;
    }

    boolean haveAllFinished() {
        return finished.cardinality() == waitsForId.length;
    }

    /** Tells whether that is news. */
    boolean finish(int task) {
        boolean news = !finished.get(task);
        finished.set(task);
        return news;
    }

    /** The task waits for a checkpoint of this id or a later one. Tells whether that is news. */
    boolean awaitFinal(int task, long checkpointId) {
        if (finished.get(task) || waitsForId[task] != NOT_WAITING) {
            return false;
        }
        waitsForId[task] = checkpointId;
        return true;
    }

    /**
     * The least id whose completion lets every task end that waits now.
     *
     * @return {@link CheckpointHistory#NO_CHECKPOINT} unless all unfinished tasks wait, one of them still in vain.
     */
    long finalCheckpointId(long latestCompletedId) {
        long wanted = CheckpointHistory.NO_CHECKPOINT;
        for (int task = finished.nextClearBit(0); task < waitsForId.length; task = finished.nextClearBit(task + 1)) {
            if (waitsForId[task] == NOT_WAITING) {
                return CheckpointHistory.NO_CHECKPOINT;
            }
            if (waitsForId[task] > latestCompletedId) {
                wanted = Math.max(wanted, waitsForId[task]);
            }
        }
        return wanted;
    }
}
