package io.weir.engine.recovery;

import io.weir.engine.coordinator.CheckpointFailureReason;
import io.weir.engine.coordinator.StopKind;
import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskListener.Decline;
import io.weir.storage.snapshot.Manifest.TaskPart;
import java.nio.file.Path;

/** What the job's thread hears from others. */
sealed interface JobEvent {
    /** A task's part of a checkpoint is durable. */
    record Acknowledged(TaskId task, int attempt, long checkpointId, TaskPart part, CheckpointMetrics metrics)
            implements JobEvent {}

    /** A task declined a checkpoint. */
    record Declined(TaskId task, int attempt, long checkpointId, Decline decline) implements JobEvent {}

    /** A task waits for a final checkpoint. */
    record AwaitsFinal(TaskId task, int attempt) implements JobEvent {}

    /** A task has finished. */
    record Finished(TaskId task, int attempt) implements JobEvent {}

    /** A task has failed. */
    record Failed(TaskId task, int attempt, Throwable cause) implements JobEvent {}

    /** A task hangs and was given up; it will not be closed. */
    record GivenUp(TaskId task, int attempt, Throwable cause) implements JobEvent {}

    /** A task has done what it was told. */
    record Settled(TaskId task, int attempt) implements JobEvent {}

    /** A task was closed. */
    record Closed(TaskId task, int attempt) implements JobEvent {}

    /** A source has read its log to the end that it has now. */
    record CaughtUp(TaskId task, int attempt) implements JobEvent {}

    /** The place of a savepoint was made. */
    record SavepointPrepared(long checkpointId, Path folder) implements JobEvent {}

    /** The place of a savepoint can't be made. */
    record SavepointUnprepared(long checkpointId, Throwable cause) implements JobEvent {}

    /** A manifest was published. */
    record Stored(long checkpointId) implements JobEvent {}

    /** What was to be deleted is, or was given up. */
    record Deleted() implements JobEvent {}

    /** A manifest could not be published. */
    record StoreFailed(long checkpointId, CheckpointFailureReason reason, Throwable cause) implements JobEvent {}

    /** The user asks for something, under a number. */
    sealed interface Request extends JobEvent {
        long requestId();
    }

    /** The user asks for a checkpoint. */
    record TriggerRequested(long requestId) implements Request {}

    /** The user asks for a savepoint. */
    record SavepointRequested(long requestId) implements Request {}

    /** The user asks for a stop; number 0 if nobody waits for a savepoint. */
    record StopRequested(StopKind kind, long requestId) implements Request {}

    /** The user cancels the job. */
    record CancelRequested() implements JobEvent {}
}
