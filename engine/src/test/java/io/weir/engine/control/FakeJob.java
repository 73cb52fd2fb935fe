package io.weir.engine.control;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.status.CheckpointStatus;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.HdrHistogram.Histogram;

/** A job that does what the test says, and takes down what it was asked for. */
final class FakeJob implements ControlledJob {
    final Queue<String> asked = new ConcurrentLinkedQueue<>();
    final CompletableFuture<Path> savepoint = new CompletableFuture<>();
    volatile JobState state = JobState.RUNNING;
    volatile boolean hasStopFailed;

    @Override
    public JobStatus status() {
        final TreeMap<String, Long> counters = new TreeMap<>();
        counters.put("rows/records", 12L);
        return new JobStatus(
                "fake job",
                state,
                3,
                7,
                null,
                List.of(new JobStatus.Restart(2, "task m\u00fcll = a\nsecond line", 5, 42_000_000)),
                1,
                new CheckpointStatus(9, 1, 8, 100, 900, "TASK_DECLINED", new Histogram(3), List.of()),
                counters,
                0,
                List.of());
    }

    @Override
    public CompletableFuture<Path> savepoint(final Path directory, final SavepointFormat format) {
        asked.add("savepoint " + directory + " " + format);
        return savepoint;
    }

    @Override
    public CompletableFuture<Path> stopWithSavepoint(
            final Path directory, final SavepointFormat format, final StopMode mode) {
        asked.add("stop " + directory + " " + format + " " + mode);
        return savepoint;
    }

    @Override
    public void stop(final StopMode mode) {
        asked.add("stop " + mode);
    }

    @Override
    public boolean hasStopFailed() {
        return hasStopFailed;
    }

    @Override
    public void cancel() {
        asked.add("cancel");
        state = JobState.CANCELLED;
    }
}
