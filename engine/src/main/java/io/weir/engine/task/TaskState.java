package io.weir.engine.task;

/** Where a task stands in its life. */
public enum TaskState {
    /** Built, not open yet. */
    CREATED,
    /** Processes its input. */
    RUNNING,
    /** All input has ended; timers and outputs are still going out. */
    DRAINING,
    /** The end of data has been handed to the outbox. */
    ENDED,
    /** Everything is out; a checkpoint taken after that has to complete before the task may finish. */
    AWAITING_FINAL_CHECKPOINT,
    /** Done for good; answers triggers with its last state. */
    FINISHED,
    /** Freed. */
    CLOSED
}
