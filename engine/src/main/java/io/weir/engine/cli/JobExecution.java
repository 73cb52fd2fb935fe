package io.weir.engine.cli;

import io.weir.engine.Job;
import io.weir.engine.Weir;
import io.weir.engine.api.Pipeline;
import io.weir.engine.cli.job.JobFolder;
import io.weir.engine.status.JobStatus;
import io.weir.storage.page.PagesStateBackend;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs one pipeline to its end, or, when the signal is raised, to a stop behind a last checkpoint. The calling thread waits and
 * watches.
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
     * @return the last status: finished, stopped or cancelled.
     * @throws io.weir.engine.JobFailedException if it failed; the message says why.
     */
    static JobStatus run(
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
            final Job job = weir.run(pipeline.parallelism(settings.parallelism()));
            signal.onRaise(job::stop);
            while (!job.status().state().isTerminal()) {
                watcher.accept(job.status());
                if (job.hasStopFailed()) {
                    job.cancel();
                }
                LockSupport.parkNanos(WATCH_NS);
            }
            job.join();
            watcher.accept(job.status());
            return job.status();
        } finally {
            signal.onRaise(() -> {});
        }
    }
}
