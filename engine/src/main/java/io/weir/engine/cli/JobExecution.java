package io.weir.engine.cli;

import io.weir.engine.Job;
import io.weir.engine.Weir;
import io.weir.engine.api.Pipeline;
import io.weir.engine.cli.job.JobFolder;
import io.weir.engine.control.ControlException;
import io.weir.engine.control.JobControl;
import io.weir.engine.control.StopOutcome;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.page.PagesStateBackend;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs one pipeline to its end, or, when the signal is raised, to a stop behind a last checkpoint. The calling thread waits and
 * watches; other processes may ask the job by its folder.
 */
final class JobExecution {
    private static final long WATCH_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private JobExecution() {}

    /**
     * Runs a pipeline.
     *
     * @param pipeline to run, at the parallelism of the settings.
     * @param settings of the run.
     * @param folder of the job.
     * @param signal that stops the job.
     * @param watcher told the status some hundred times a second and at the end, on the calling thread.
     * @return finished, stopped or cancelled.
     * @throws io.weir.engine.JobFailedException if it failed; the message says why.
     */
    static End run(
            final Pipeline pipeline,
            final JobSettings settings,
            final JobFolder folder,
            final StopSignal signal,
            final Consumer<JobStatus> watcher) {
        final Weir.Context context = new Weir.Context()
                .workers(settings.workers())
                .checkpoints(settings.checkpoints().in(folder.checkpoints()));
        if (settings.statePlace() == JobSettings.StatePlace.SCRATCH_FILE) {
            context.stateBackend(new PagesStateBackend().scratchFolder(folder.scratch()));
        }
        try (Weir weir = Weir.launch(context)) {
            final Job job = weir.run(pipeline.parallelism(settings.parallelism()), settings.restore());
            final JobControl control = serve(folder, job);
            try (control) {
                watch(job, signal, watcher);
            }
            job.join();
            watcher.accept(job.status());
            return new End(job.status(), control == null ? null : control.stopOutcome(), job.isDrained());
        } finally {
            signal.onRaise(() -> {});
        }
    }

    /** A job that can't be asked by others runs all the same: then null. */
    private static JobControl serve(final JobFolder folder, final Job job) {
        try {
            return JobControl.open(folder.path(), job);
        } catch (final ControlException e) {
            System.err.println("weir: the job runs, but no other process can ask it: " + e.getMessage());
            return null;
        }
    }

    /** A job that can't stop behind a last checkpoint goes on, but not if its process has to end. */
    private static void watch(final Job job, final StopSignal signal, final Consumer<JobStatus> watcher) {
        final AtomicBoolean hasToEnd = new AtomicBoolean();
        signal.onRaise(() -> {
            job.stop();
            hasToEnd.set(true);
        });
        while (!job.status().state().isTerminal()) {
            watcher.accept(job.status());
            if (hasToEnd.get() && job.hasStopFailed()) {
                job.cancel();
            }
            LockSupport.parkNanos(WATCH_NS);
        }
    }

    /**
     * How a run ended.
     *
     * @param status the last one.
     * @param stop how another process has stopped it, null if none has.
     * @param isDrained whether its input was ended for the stop, whoever asked for it.
     */
    record End(JobStatus status, StopOutcome stop, boolean isDrained) {
        /** Whether the job has nothing left to do: all its input is processed, or it was drained. */
        boolean isFinal() {
            return status.state() == JobState.FINISHED || isDrained;
        }
    }
}
