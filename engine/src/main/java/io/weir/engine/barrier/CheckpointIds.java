package io.weir.engine.barrier;

import java.util.TreeSet;

/** Which checkpoints were begun or given up here, and which the coordinator aborted ahead of their barriers. */
final class CheckpointIds {
    /** Aborts that came ahead of their barriers, beyond which the oldest is forgotten (and would be taken in vain). */
    static final int MAX_REMEMBERED_ABORTS = 128;

    /** Checkpoints known to have been begun or given up here; older ones are taken for so. */
    static final int MAX_REMEMBERED_CHECKPOINTS = 128;

    private final TreeSet<Long> abortedAhead = new TreeSet<>();
    private final TreeSet<Long> seen = new TreeSet<>();
    private long current = BarrierHandler.NO_CHECKPOINT;

    long current() {
        return current;
    }

    /** The checkpoint is the newest now. */
    void moveTo(long checkpointId) {
        assert checkpointId > current : checkpointId + " behind " + current;
        current = checkpointId;
        remember(checkpointId);
        abortedAhead.headSet(checkpointId).clear();
    }

    /** Tells of a checkpoint that is met for the first time, behind a newer one. */
    boolean isSkipped(long checkpointId) {
        return checkpointId < current
                && !seen.contains(checkpointId)
                && (seen.size() < MAX_REMEMBERED_CHECKPOINTS || checkpointId > seen.first());
    }

    void remember(long checkpointId) {
        seen.add(checkpointId);
        if (seen.size() > MAX_REMEMBERED_CHECKPOINTS) {
            seen.pollFirst();
        }
    }

    void rememberAbort(long checkpointId) {
        abortedAhead.add(checkpointId);
        if (abortedAhead.size() > MAX_REMEMBERED_ABORTS) {
            abortedAhead.pollFirst();
        }
    }

    boolean isAborted(long checkpointId) {
        return abortedAhead.contains(checkpointId);
    }

    /** Tells whether the checkpoint was aborted ahead, and forgets it. */
    boolean takeAbort(long checkpointId) {
        return abortedAhead.remove(checkpointId);
    }
}
