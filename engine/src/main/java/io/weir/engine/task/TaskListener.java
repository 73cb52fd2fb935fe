package io.weir.engine.task;

import io.weir.storage.snapshot.Manifest.TaskPart;

/** What a task tells its job. Called by task and I/O threads; never blocks. */
public interface TaskListener {
    /**
     * The task's part of a checkpoint is durable.
     *
     * @param task that took it.
     * @param attempt of the task.
     * @param checkpointId of the checkpoint.
     * @param part for the manifest.
     * @param metrics what it cost.
     */
    void acknowledged(TaskId task, int attempt, long checkpointId, TaskPart part, CheckpointMetrics metrics);

    /**
     * The task can't take part in a checkpoint.
     *
     * @param task that declines.
     * @param attempt of the task.
     * @param checkpointId of the checkpoint.
     * @param decline why.
     */
    void declined(TaskId task, int attempt, long checkpointId, Decline decline);

    /**
     * All data has ended and been passed on; the task stays until a checkpoint taken after this has completed.
     *
     * @param task that waits.
     * @param attempt of the task.
     */
    void awaitsFinalCheckpoint(TaskId task, int attempt);

    /**
     * The task's source has read its log to the end that it has now, for the first time in this attempt.
     *
     * @param task that has caught up.
     * @param attempt of the task.
     */
    void caughtUp(TaskId task, int attempt);

    /**
     * The task has done all it will ever do. It goes on to answer triggers with its last state.
     *
     * @param task that finished.
     * @param attempt of the task.
     */
    void finished(TaskId task, int attempt);

    /**
     * The task failed and does nothing more.
     *
     * @param task that failed.
     * @param attempt of the task.
     * @param cause of the failure.
     */
    void failed(TaskId task, int attempt, Throwable cause);

    /**
     * The task does not come back to its worker, and nobody waits for it any more: it is never closed by the worker, and what it
     * holds is not freed before it does come back.
     *
     * @param task that hangs.
     * @param attempt of the task.
     * @param cause with the place where it is.
     */
    void givenUp(TaskId task, int attempt, Throwable cause);

    /**
     * The task's source has skipped a record that it could not read.
     *
     * @param task that skipped it.
     * @param reason with the place of the record.
     */
    void skipped(TaskId task, String reason);

    /**
     * The task has done what it was told before {@link Task#settle()}.
     *
     * @param task that was asked.
     * @param attempt of the task.
     */
    void settled(TaskId task, int attempt);

    /**
     * The task is closed; nothing of it runs any more.
     *
     * @param task that was closed.
     * @param attempt of the task.
     */
    void closed(TaskId task, int attempt);

    /**
     * Why a task declines a checkpoint.
     *
     * @param reason its kind.
     * @param cause the error behind it, or null.
     */
    record Decline(Reason reason, Throwable cause) {
        /** Kinds of declines. */
        public enum Reason {
            /** Taking or writing the snapshot failed. */
            SNAPSHOT_FAILED,
            /** More was in flight than channel state may hold. */
            CHANNEL_STATE_LIMIT,
            /** A newer checkpoint made it impossible. */
            SUBSUMED,
            /** An upstream task gave it up. */
            CANCELLED_UPSTREAM
        }
    }
}
