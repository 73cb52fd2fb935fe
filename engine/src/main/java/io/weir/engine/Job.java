package io.weir.engine;

import io.weir.engine.recovery.JobRunner;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.engine.task.TaskException;

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

    /** Asks for a checkpoint now, whatever the interval. Returns at once. */
    public void triggerCheckpoint() {
        runner.trigger();
    }

    /**
     * Asks for a stop behind a last checkpoint, whose transactions are committed: the same pipeline goes on from there. The input
     * is not ended. Returns at once; {@link #join()} waits. If the last checkpoint comes to nothing the job goes on: see {@link
     * #hasStopFailed()}.
     */
    public void stop() {
        runner.stop();
    }

    /**
     * Whether the last stop request came to nothing because its checkpoint did.
     *
     * @return true if so.
     */
    public boolean hasStopFailed() {
        return runner.hasStopFailed();
    }

    /** Ends the job without a further checkpoint; a later run goes on from the newest. Returns at once. */
    public void cancel() {
        runner.cancel();
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
