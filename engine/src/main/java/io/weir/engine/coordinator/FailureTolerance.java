package io.weir.engine.coordinator;

/**
 * Counts failed checkpoints in a row, by reasons that count, none older than the last success. A checkpoint ends once,
 * so that each id is told at most once.
 */
final class FailureTolerance {
    private final int tolerable;
    private long lastCompletedId = CheckpointHistory.NO_CHECKPOINT;
    private int failures;

    FailureTolerance(int tolerable) {
        this.tolerable = tolerable;
    }

    void onCompleted(long checkpointId) {
        if (checkpointId > lastCompletedId) {
            lastCompletedId = checkpointId;
            failures = 0;
        }
    }

    /** Tells whether the job is to fail now; then the count starts anew. */
    boolean onFailed(long checkpointId, CheckpointFailureReason reason) {
        if (!reason.isCounted() || checkpointId < lastCompletedId) {
            return false;
        }
        failures++;
        if (failures <= tolerable) {
            return false;
        }
        failures = 0;
        return true;
    }
}
