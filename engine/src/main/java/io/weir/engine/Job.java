package io.weir.engine;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.recovery.JobRunner;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.engine.task.TaskException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A pipeline that runs. Any thread. */
public final class Job {
    private final JobRunner runner;

    Job(final JobRunner runner) {
        this.runner = runner;
    }

    /**
     * Waits until the job has finished, or was stopped or cancelled.
     *
     * @return which of them.
     * @throws JobFailedException if it failed for good.
     */
    public JobState join() {
        awaitEnd();
        final Throwable failure = runner.failure();
        if (failure != null) {
            throw new JobFailedException(TaskException.reason(failure), failure);
        }
        return runner.status().state();
    }

    /**
     * Asks for a checkpoint now, whatever the interval. Returns at once. Who asks while others wait gets the same as they.
     *
     * @return its id, once it has completed; a {@link io.weir.engine.api.CheckpointException} if it did not.
     */
    public CompletableFuture<Long> triggerCheckpoint() {
        return runner.trigger();
    }

    /**
     * Asks for a savepoint: a checkpoint of its own that holds everything, may be moved anywhere, and is never deleted. The job goes
     * on, and does not rest on it. Sinks commit nothing for it: that is left to the next checkpoint, and to whoever begins with the
     * savepoint. Returns at once.
     *
     * @param directory that it is made in as {@code savepoint-<job>-<id>}; made if its parent is there. Null for the job's own
     *     checkpoint folder.
     * @param format of its state.
     * @return its folder, once it is complete; a {@link io.weir.engine.api.CheckpointException} if nothing came of it.
     */
    public CompletableFuture<Path> savepoint(final Path directory, final SavepointFormat format) {
        return runner.savepoint(directory, Objects.requireNonNull(format, "format"));
    }

    /**
     * Asks for a stop behind a savepoint. Behind its cut nothing is processed any more; sinks commit when it is complete; then the
     * job ends as {@link JobState#STOPPED}. If nothing comes of the savepoint the job goes on, a drained one from its newest
     * checkpoint. Returns at once.
     *
     * @param directory as for {@link #savepoint}.
     * @param format of its state.
     * @param mode what becomes of the input.
     * @return the savepoint's folder, once the job has stopped; a {@link io.weir.engine.api.CheckpointException} if it did not.
     */
    public CompletableFuture<Path> stopWithSavepoint(
            final Path directory, final SavepointFormat format, final StopMode mode) {
        return runner.stopWithSavepoint(
                directory, Objects.requireNonNull(format, "format"), Objects.requireNonNull(mode, "mode"));
    }

    /**
     * Asks for a stop behind a last checkpoint, whose transactions are committed: the same pipeline goes on from there. The input
     * is not ended. Returns at once; {@link #join()} waits. If the last checkpoint comes to nothing the job goes on: see {@link
     * #hasStopFailed()}.
     */
    public void stop() {
        stop(StopMode.SUSPEND);
    }

    /**
     * As {@link #stop()}, and says what becomes of the input.
     *
     * @param mode suspend it, or end it where it is.
     */
    public void stop(final StopMode mode) {
        runner.stop(Objects.requireNonNull(mode, "mode"));
    }

    /**
     * Whether the last stop request came to nothing because its checkpoint did.
     *
     * @return true if so.
     */
    public boolean hasStopFailed() {
        return runner.hasStopFailed();
    }

    /**
     * Ends the job without a further checkpoint. A later run goes on from the newest, unless checkpoints are to be deleted then: see
     * {@link io.weir.engine.api.Checkpoints#deleteOnCancel}. Returns at once.
     */
    public void cancel() {
        runner.cancel();
    }

    /**
     * Whether the job has stopped by a drain ({@link StopMode#DRAIN}), so that nothing is left to go on with.
     *
     * @return true if so, false also before the end.
     */
    public boolean isDrained() {
        return runner.isDrained();
    }

    /** Ends the job with its engine. */
    void suspend() {
        runner.suspend();
    }

    /**
     * The job as of now.
     *
     * @return its state, counters and checkpoint figures.
     */
    public JobStatus status() {
        return runner.status();
    }

    /** Waits for the end, whatever it is; an interrupt is kept for later. */
    void awaitEnd() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    runner.awaitEnd();
                    return;
                } catch (final InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
