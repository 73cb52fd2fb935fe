package io.weir.engine.task;

/** What others put into a task's mailbox. */
sealed interface TaskMessage {
    /** The coordinator triggers a checkpoint here, since no running task is upstream. */
    record Trigger(long checkpointId, long triggerTimeNs, int options) implements TaskMessage {}

    /** A checkpoint has completed. */
    record Complete(long checkpointId) implements TaskMessage {}

    /** A checkpoint was given up. */
    record Abort(long checkpointId) implements TaskMessage {}

    /** Its source, if it has one, is to end as if its data had. */
    record EndSource() implements TaskMessage {}

    /** The job wants to know when everything before this is done. */
    record Settle() implements TaskMessage {}

    /** The blocking work from before a {@link Settle} is done. */
    record Settled() implements TaskMessage {}

    /** Blocking work of an operator has succeeded. */
    record IoDone(Runnable onDone) implements TaskMessage {}

    /** Blocking work of an operator has failed. */
    record IoFailed(String uid, Throwable cause) implements TaskMessage {}
}
