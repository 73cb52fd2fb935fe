package io.weir.engine.coordinator;

/** Where a job's checkpoints stand. */
public enum CoordinatorState {
    /** Not all tasks run yet, at first or after a restart: nothing is triggered. */
    STARTING,

    /** All tasks run or have finished: checkpoints are taken. */
    RUNNING,

    /** A stop was requested: the last checkpoint is to be taken, or under way, and no other is triggered. */
    STOPPING,

    /** The last checkpoint has completed: nothing is triggered any more. */
    STOPPED,

    /** Too many checkpoints failed: nothing is triggered until the job restarts. */
    FAILED,

    /** Shut down: every event is ignored. */
    SHUT_DOWN
}
