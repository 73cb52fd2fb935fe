package io.weir.engine.coordinator;

/** What the coordinator asks its surroundings to do. Actions are carried out in the order given. */
public sealed interface CoordinatorAction {
    /**
     * Tell a task without running inputs to take its part and send barriers on.
     *
     * @param task to trigger.
     * @param checkpointId to take.
     * @param triggerTimeNs epoch nanoseconds, the same for all tasks of a checkpoint.
     * @param options for the barriers.
     */
    record TriggerTask(int task, long checkpointId, long triggerTimeNs, int options) implements CoordinatorAction {}

    /**
     * Write the checkpoint down: all tasks have acknowledged or finished. Answer with {@code onStored} or
     * {@code onStoreFailed}. At most one is under way at a time.
     *
     * @param checkpointId to write.
     */
    record Store(long checkpointId) implements CoordinatorAction {}

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
     * Delete what has been acknowledged for an aborted checkpoint; segments that others share stay.
     *
     * @param checkpointId that was aborted.
     */
    record Discard(long checkpointId) implements CoordinatorAction {}

    /**
     * Delete what one acknowledgement brought that came after its checkpoint had been aborted.
     *
     * @param task that acknowledged.
     * @param attempt in which it did.
     * @param checkpointId that was aborted.
     */
    record DiscardLate(int task, int attempt, long checkpointId) implements CoordinatorAction {}

    /**
     * Delete a completed checkpoint beyond the number retained. Comes only after a newer one was stored.
     *
     * @param checkpointId that is no longer retained.
     */
    record Drop(long checkpointId) implements CoordinatorAction {}

    /**
     * Fail the job: more checkpoints in a row have failed than are tolerated.
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
     * @param reason for it.
     */
    record StopFailed(CheckpointFailureReason reason) implements CoordinatorAction {}
}
