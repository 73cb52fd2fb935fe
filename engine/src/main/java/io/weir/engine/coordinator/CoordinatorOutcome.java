package io.weir.engine.coordinator;

/** What became of an event that the coordinator was given; each is counted. */
public enum CoordinatorOutcome {
    /** The event was taken in, and that is all there is to say. */
    ACCEPTED,

    /** A checkpoint was triggered. */
    TRIGGERED,

    /** A tick found nothing due. */
    NOTHING_DUE,

    /** Pending checkpoints ran into their timeout. */
    EXPIRED,

    /** A trigger is due, but as many checkpoints as allowed are pending: it waits for one of them to end. */
    WAITS_FOR_SLOT,

    /** A periodic trigger is due, but the minimum pause has not passed: it waits for its end. */
    WAITS_FOR_PAUSE,

    /** A trigger is due, but old checkpoints are still being deleted: it waits for that. */
    WAITS_FOR_DELETIONS,

    /** A request was refused: not all tasks run yet. */
    REFUSED_NOT_RUNNING,

    /** A request was refused: the job is stopping, has stopped or failed, or all tasks have finished. */
    REFUSED_ENDING,

    /** An acknowledgement was counted; others are missing. */
    ACKNOWLEDGED,

    /** The last missing acknowledgement of a checkpoint (or a finished task in place of it). */
    LAST_ACKNOWLEDGED,

    /** Ignored, state untouched: the task had acknowledged this pending or completed checkpoint before. */
    DUPLICATE_ACKNOWLEDGE,

    /** The checkpoint had been aborted before: what the acknowledgement brought is deleted. */
    LATE_ACKNOWLEDGE,

    /** Ignored, state untouched: the checkpoint is not, or no longer, known. */
    UNKNOWN_CHECKPOINT,

    /** Ignored, state untouched: the job has no such task. */
    UNKNOWN_TASK,

    /** Ignored: a message of another execution attempt; state is deleted if its checkpoint was aborted. */
    OTHER_ATTEMPT,

    /** A task declined a pending checkpoint, which is aborted. */
    DECLINED,

    /** Ignored: decline of a checkpoint that is no longer pending, or that the task acknowledged. */
    LATE_DECLINE,

    /** A checkpoint was stored and so completed. */
    COMPLETED,

    /** A checkpoint could not be stored, and is aborted. */
    STORE_FAILED,

    /** Ignored: the answer to no store under way. */
    UNKNOWN_STORE,

    /** A task finished, or told that it waits for its final checkpoint. */
    TASK_ENDING,

    /** Ignored: the same was told before. */
    DUPLICATE_NOTICE,

    /** The job has stopped: its last checkpoint completed. */
    STOPPED,

    /** Ignored: the coordinator is shut down. */
    IGNORED_SHUT_DOWN
}
