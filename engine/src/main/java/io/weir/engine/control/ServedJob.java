package io.weir.engine.control;

import io.weir.engine.Job;
import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.status.JobStatus;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A running job. */
record ServedJob(Job job) implements ControlledJob {
    @Override
    public JobStatus status() {
        return job.status();
    }

    @Override
    public CompletableFuture<Path> savepoint(final Path directory, final SavepointFormat format) {
        return job.savepoint(directory, format);
    }

    @Override
    public CompletableFuture<Path> stopWithSavepoint(
            final Path directory, final SavepointFormat format, final StopMode mode) {
        return job.stopWithSavepoint(directory, format, mode);
    }

    @Override
    public void stop(final StopMode mode) {
        job.stop(mode);
    }

    @Override
    public boolean hasStopFailed() {
        return job.hasStopFailed();
    }

    @Override
    public void cancel() {
        job.cancel();
    }
}
