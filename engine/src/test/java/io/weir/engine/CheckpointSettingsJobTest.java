package io.weir.engine;

import static io.weir.engine.JobTest.addValues;
import static io.weir.engine.JobTest.await;
import static io.weir.engine.JobTest.records;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.status.JobState;
import io.weir.storage.log.MemoryLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of checkpoints whose effect shows in whole jobs only. */
final class CheckpointSettingsJobTest {
    /** Functions are copied by serialization, so whether they fail is found here. */
    private static final AtomicBoolean FAILS = new AtomicBoolean();

    private final MemoryLog input = MemoryLog.unbounded(1);
    private final MemoryLog output = MemoryLog.unbounded(1);

    @TempDir
    private Path folder;

    @BeforeEach
    void begin() {
        FAILS.set(false);
    }

    /** FC-110: the job may be at work or between two attempts. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDeleteItsCheckpointsAtItsCancellationIfAskedTo(final boolean isRestarting) throws Exception {
        addValues(input, 0, 0, 1_000);
        try (Weir weir = Weir.launch(context(deletedOnCancel()))) {
            final Job job = weir.run(pipeline());
            takeTwoCheckpoints(job);
            if (isRestarting) {
                fail(job);
            }
            assertEquals(2, checkpoints().size(), checkpoints()::toString);

            job.cancel();

            assertEquals(JobState.CANCELLED, job.join());
        }
        assertEquals(List.of(), checkpoints());
    }

    /** FLINK-34518, FC-110: the end of the engine is not that of its jobs, whatever they do at that moment. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepItsCheckpointsWhenTheEngineEnds(final boolean isRestarting) throws Exception {
        addValues(input, 0, 0, 1_000);
        final long newest;
        try (Weir weir = Weir.launch(context(deletedOnCancel()))) {
            final Job job = weir.run(pipeline());
            newest = takeTwoCheckpoints(job);
            if (isRestarting) {
                fail(job);
            }
        }
        FAILS.set(false);
        assertEquals(2, checkpoints().size(), checkpoints()::toString);
        try (Weir weir = Weir.launch(context(deletedOnCancel()))) {
            final Job job = weir.run(pipeline());
            await(() -> job.status().state() == JobState.RUNNING, "the job goes on");
            assertEquals(newest, job.status().restoredCheckpointId());
        }
    }

    @Test
    void shouldTakeNoPeriodicCheckpointBeforeItsSourcesHaveCaughtUp() {
        // given: all of the backlog takes far longer than the interval
        addValues(input, 0, 0, 1_000);
        final Checkpoints checkpoints =
                Checkpoints.every(Duration.ofMillis(1)).in(folder).intervalDuringBacklog(Duration.ZERO);
        try (Weir weir = Weir.launch(context(checkpoints))) {
            final Job job = weir.run(pipeline());

            // when
            await(() -> !output.records(0).isEmpty(), "a checkpoint commits");

            // then: the first one has all of the backlog, and they go on by the interval
            assertEquals(1_000, output.records(0).size());
            addValues(input, 0, 1_000, 1_010);
            await(() -> output.records(0).size() == 1_010, "a later one commits");
            assertEquals(1_010, records(job));
        }
    }

    private Checkpoints deletedOnCancel() {
        return Checkpoints.every(Duration.ofDays(1)).in(folder).retained(2).deleteOnCancel();
    }

    private static Weir.Context context(final Checkpoints checkpoints) {
        return new Weir.Context()
                .workers(1)
                .restartStrategy(RestartStrategy.fixedDelay(1, Duration.ofDays(1)))
                .checkpoints(checkpoints);
    }

    private Pipeline pipeline() {
        final Pipeline pipeline = Pipeline.named("passing");
        pipeline.read(input, Codecs.longs())
                .process(new Passing())
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private static long takeTwoCheckpoints(final Job job) throws Exception {
        await(() -> records(job) == 1_000, "all input read");
        job.triggerCheckpoint().get(1, TimeUnit.MINUTES);
        return job.triggerCheckpoint().get(1, TimeUnit.MINUTES);
    }

    private void fail(final Job job) {
        FAILS.set(true);
        addValues(input, 0, 1_000, 1_001);
        await(() -> job.status().state() == JobState.RESTARTING, "the job waits for its next attempt");
    }

    private List<String> checkpoints() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("chk-"))
                    .sorted()
                    .toList();
        }
    }

    /** Passes on what it gets, slowly, or fails. */
    private static final class Passing implements ProcessFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out)
                throws Exception {
            if (FAILS.get()) {
                throw new IllegalStateException("planned failure");
            }
            LockSupport.parkNanos(100_000);
            out.collect(value);
        }
    }
}
