package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.status.JobState;
import io.weir.engine.status.TaskCheckpoint;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on real workers and a real media driver whose last operator is slow, so that all channels before it are full. */
final class UnalignedJobTest {
    private static final int WORK = 2_000;
    private static final int RECORDS = 40_000;

    private final MemoryLog output = MemoryLog.unbounded(1);
    private final CheckpointStorage storage = new MemoryCheckpointStorage();
    private final Random random = new Random(11);
    private final AtomicInteger failures = new AtomicInteger();

    /** FC-164, FC-165, FLINK-31963, FLINK-21945. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void shouldGoOnExactlyFromWhatWasInFlightAlsoWithAnotherParallelism(final long timeoutMs) {
        // given: checkpoints that hold records in flight, under failures
        final MemoryLog input = JobTest.input(RECORDS, 100);
        final Checkpoints checkpoints = Checkpoints.every(Duration.ofMillis(2))
                .unaligned(Duration.ofMillis(timeoutMs))
                .in(storage);
        try (Weir weir = launch(checkpoints)) {
            final Job job = weir.run(pipeline(input, 2, () -> failures.get() < 5 && failsNow()));
            JobTest.await(() -> failures.get() == 5 && hasChannelState(job), "channel state after five failures");
            job.cancel();
            assertEquals(JobState.CANCELLED, job.join());
            assertFailedAsPlanned(job);
        }

        // when
        try (Weir weir = launch(checkpoints)) {
            final Job job = weir.run(pipeline(input, 3, () -> failures.get() < 10 && failsNow()));
            assertEquals(JobState.FINISHED, job.join());
            assertFailedAsPlanned(job);
        }

        // then
        assertEquals(10, failures.get());
        assertEquals(JobTest.expected(input), JobTest.counted(output));
    }

    private static void assertFailedAsPlanned(final Job job) {
        job.status().restarts().forEach(restart -> assertTrue(restart.cause().contains("planned"), restart::toString));
    }

    private static boolean hasChannelState(final Job job) {
        return job.status().checkpoints().lastTasks().stream()
                        .mapToLong(TaskCheckpoint::bytesPersisted)
                        .sum()
                > 0;
    }

    private boolean failsNow() {
        synchronized (random) {
            return random.nextInt(1_000) == 0 && failures.incrementAndGet() > 0;
        }
    }

    private static Weir launch(final Checkpoints checkpoints) {
        return Weir.launch(new Weir.Context()
                .workers(2)
                .checkpoints(checkpoints)
                .restartStrategy(RestartStrategy.fixedDelay(100, Duration.ZERO)));
    }

    private Pipeline pipeline(final MemoryLog input, final int parallelism, final BooleanSupplier failure) {
        final Pipeline pipeline = Pipeline.named("count").parallelism(parallelism);
        pipeline.read(input, Codecs.longs())
                .keyByLong(value -> value % JobTest.KEYS)
                .process(new JobTest.Count())
                .codec(Codecs.strings())
                .keyBy(text -> text)
                .process((String text, KeyedProcessContext<String> context, Collector<String> out) -> {
                    if (failure.getAsBoolean()) {
                        throw new IllegalStateException("planned failure");
                    }
                    out.collect(slowly(text));
                })
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    /** Gives back the text, after some work that no compiler can leave out. */
    private static String slowly(final String text) {
        long hash = text.hashCode();
        for (int i = 0; i < WORK; i++) {
            hash = hash * 31 + i;
        }
        return hash == 0 ? text + '!' : text;
    }
}
