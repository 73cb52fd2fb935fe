package io.weir.engine.control;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.status.JobStatus;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** What can be asked of a job, and returns at once. Any thread. */
interface ControlledJob {
    JobStatus status();

    CompletableFuture<Path> savepoint(Path directory, SavepointFormat format);

    CompletableFuture<Path> stopWithSavepoint(Path directory, SavepointFormat format, StopMode mode);

    void stop(StopMode mode);

    boolean hasStopFailed();

    void cancel();
}
