package io.weir.engine.coordinator;

/** Why a checkpoint, or the request for one, came to nothing; and whether that counts against the tolerable failures. */
public enum CheckpointFailureReason {
    /** A task could not take or write its snapshot. */
    SNAPSHOT_FAILED(true),

    /** More was in flight at a task than channel state may hold. */
    CHANNEL_STATE_LIMIT(true),

    /** Acknowledgements were missing at the timeout. */
    EXPIRED(true),

    /** All tasks acknowledged, but the checkpoint could not be stored; nothing of it is valid. */
    STORE_FAILED(true),

    /** All tasks acknowledged, but whether the checkpoint was stored is unknown, so nothing of it is deleted. */
    STORE_OUTCOME_UNKNOWN(true),

    /** A newer checkpoint took its place, at a task or at the coordinator. */
    SUBSUMED(false),

    /** A task gave it up since an upstream task had. */
    CANCELLED_UPSTREAM(false),

    /** A task was not yet, or no longer, in a state to take it. */
    TASK_NOT_READY(false),

    /** Not all tasks run yet. */
    NOT_ALL_RUNNING(false),

    /** The place of a savepoint could not be made. */
    PLACE_FAILED(false),

    /** Too many requests wait already. */
    TOO_MANY_REQUESTS(false),

    /** The job is stopping, or has stopped. */
    STOPPING(false),

    /** All tasks have finished. */
    ALL_FINISHED(false),

    /** The job failed or restarted under it. */
    JOB_FAILED(false),

    /** The coordinator was shut down. */
    SHUTDOWN(false);

    private final boolean counted;

    CheckpointFailureReason(boolean counted) {
        this.counted = counted;
    }

    /**
     * Tells whether this reason counts as a failure of the job's checkpoints.
     *
     * @return whether it counts against {@link CheckpointSettings#tolerableFailures()}.
     */
    public boolean isCounted() {
        return counted;
    }
}
