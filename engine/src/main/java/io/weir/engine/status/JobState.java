package io.weir.engine.status;

/** Where a job stands in its life. */
public enum JobState {
    /** Restoring and opening its tasks. */
    STARTING,
    /** All tasks run. */
    RUNNING,
    /** A task failed; the job is about to start again from the newest checkpoint. */
    RESTARTING,
    /** All input was processed and committed. */
    FINISHED,
    /** Stopped on request behind a last checkpoint; a later run goes on from there, and has nothing to do if it was drained. */
    STOPPED,
    /** Cancelled on request; a later run goes on from the newest checkpoint. */
    CANCELLED,
    /** Failed for good. */
    FAILED;

    /**
     * Whether nothing of the job runs any more.
     *
     * @return true if so.
     */
    public boolean isTerminal() {
        return switch (this) {
            case STARTING, RUNNING, RESTARTING -> false;
            case FINISHED, STOPPED, CANCELLED, FAILED -> true;
        };
    }
}
