package io.weir.engine.coordinator;

import java.util.List;

/** What the coordinator asks its surroundings to do. Actions are carried out in the order given. */
public sealed interface CoordinatorAction {
    /**
     * Tell a task without running inputs to take its part and send barriers on.
     *
     * @param task to trigger.
     * @param checkpointId to take.
     * @param triggerTimeNs epoch nanoseconds, the same for all tasks of a checkpoint.
     * @param kind of the checkpoint.
     */
    record TriggerTask(int task, long checkpointId, long triggerTimeNs, CheckpointKind kind)
            implements CoordinatorAction {}

    /**
     * Make the place of a savepoint. Answer with {@code onSavepointPrepared} or {@code onSavepointUnprepared}; its tasks are
     * triggered then.
     *
     * @param checkpointId of the savepoint.
     * @param requestIds of who asked for it; none if it is the one behind which the job stops.
     * @param kind SAVEPOINT or LAST_SAVEPOINT.
     * @param triggerTimeNs epoch nanoseconds.
     */
    record PrepareSavepoint(long checkpointId, List<Long> requestIds, CheckpointKind kind, long triggerTimeNs)
            implements CoordinatorAction {}

    /** End the sources as if their data had ended. */
    record EndSources() implements CoordinatorAction {}

    /**
     * Answer a request: its checkpoint or savepoint is durable.
     *
     * @param requestId as it was given.
     * @param checkpointId of what was taken.
     */
    record RequestDone(long requestId, long checkpointId) implements CoordinatorAction {}

    /**
     * Answer a request: nothing came of it.
     *
     * @param requestId as it was given.
     * @param reason for it.
     */
    record RequestFailed(long requestId, CheckpointFailureReason reason) implements CoordinatorAction {}

    /**
     * Write the checkpoint down: all tasks have acknowledged or finished. Answer with {@code onStored} or
     * {@code onStoreFailed}. At most one is under way at a time.
     *
     * @param checkpointId to write.
     * @param kind of the checkpoint; a LAST_SAVEPOINT is also to be the newest checkpoint of the job from then on.
     */
    record Store(long checkpointId, CheckpointKind kind) implements CoordinatorAction {}

    /**
     * Notify all tasks: the checkpoint is durable, and so is everything before it. Ids rise.
     *
     * @param checkpointId that completed.
     */
    record Complete(long checkpointId) implements CoordinatorAction {}

    /**
     * Notify all tasks: the checkpoint is given up, as if it had never been triggered.
     *
     * @param checkpointId that was aborted.
     * @param reason for it.
     * @param latestCompletedId for tasks that missed its notice, or {@link CheckpointHistory#NO_CHECKPOINT}.
     */
    record AbortCheckpoint(long checkpointId, CheckpointFailureReason reason, long latestCompletedId)
            implements CoordinatorAction {}

    /**
     * Delete what has been acknowledged for an aborted checkpoint; segments that others share stay. Answer with {@code onDeleted}.
     *
     * @param checkpointId that was aborted.
     */
    record Discard(long checkpointId) implements CoordinatorAction {}

    /**
     * Delete what one acknowledgement brought that came after its checkpoint had been aborted. Answer with {@code onDeleted}.
     *
     * @param task that acknowledged.
     * @param attempt in which it did.
     * @param checkpointId that was aborted.
     */
    record DiscardLate(int task, int attempt, long checkpointId) implements CoordinatorAction {}

    /**
     * Delete a completed checkpoint beyond the number retained, after a newer one was stored; or all of them, at the end of a job
     * that wants none kept. Answer with {@code onDeleted}.
     *
     * @param checkpointId that is no longer retained.
     */
    record Drop(long checkpointId) implements CoordinatorAction {}

    /**
     * Fail the job: more checkpoints in a row have failed than are tolerated, or the last one of a job whose sources had ended for
     * it.
     *
     * @param checkpointId of the last failure.
     * @param reason of the last failure.
     */
    record FailJob(long checkpointId, CheckpointFailureReason reason) implements CoordinatorAction {}

    /**
     * Stop the job: the last checkpoint has completed.
     *
     * @param checkpointId to start from again, or {@link CheckpointHistory#NO_CHECKPOINT} where all tasks had
     *     finished before any was taken.
     */
    record Stop(long checkpointId) implements CoordinatorAction {}

    /**
     * Answer a stop request with failure: the last checkpoint came to nothing, the job goes on.
     *
     * @param requestId as it was given.
     * @param reason for it.
     */
    record StopFailed(long requestId, CheckpointFailureReason reason) implements CoordinatorAction {}
}
