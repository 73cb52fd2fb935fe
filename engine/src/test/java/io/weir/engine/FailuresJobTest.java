package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.FailingPlaces.FailingCodec;
import io.weir.engine.FailingPlaces.Place;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.engine.status.JobStatus.Restart;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole jobs whose user code fails in one place after the other: what comes out, how often they restart, and what they say. */
final class FailuresJobTest {
    private static final RestartStrategy RESTARTS = RestartStrategy.fixedDelay(5, Duration.ZERO);

    private final MemoryLog input = JobTest.input(3_000, 2_000);
    private final MemoryLog output = MemoryLog.unbounded(1);

    @ParameterizedTest
    @EnumSource(
            names = {"SOURCE_SEEK", "FUNCTION_RESTORE", "FUNCTION_CLOSE", "SINK_CLOSE", "SINK_RECOVER"},
            mode = Mode.EXCLUDE)
    void shouldRestartOnceAndGiveExactlyTheSame(final Place place) {
        final JobStatus status = run(Map.of(place, FailuresJobTest::planned));

        assertExact(status, 1);
        assertCause("planned", status.restarts().get(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"SOURCE_SEEK", "FUNCTION_RESTORE", "SINK_RECOVER", "SOURCE_OPEN", "FUNCTION_INITIALIZE"})
    void shouldRestartAgainWhenARestartFails(final Place place) {
        final JobStatus status = run(Map.of(
                Place.KEYED_FUNCTION, () -> new IllegalStateException("first"), place, FailuresJobTest::planned));

        final boolean isInOrder = place != Place.SOURCE_OPEN && place != Place.FUNCTION_INITIALIZE;
        assertExact(status, 2);
        assertCause(isInOrder ? "first" : "planned", status.restarts().get(0));
        assertCause(isInOrder ? "planned" : "first", status.restarts().get(1));
        assertTrue(status.restarts().get(1).restoredCheckpointId() > 0, status::toString);
    }

    @ParameterizedTest
    @EnumSource(names = {"FUNCTION_CLOSE", "SINK_CLOSE"})
    void shouldCloseTheOthersWhenOneCanNotBeClosed(final Place place) {
        final JobStatus status = run(Map.of(
                Place.KEYED_FUNCTION,
                () -> new IllegalStateException("first"),
                place,
                () -> new LinkageError("planned")));

        assertExact(status, 1);
        assertCause("first", status.restarts().get(0));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"FUNCTION_SNAPSHOT", "FUNCTION_OPEN", "FUNCTION", "TIMER", "ENCODE", "SINK_PREPARE", "SINK_COMMIT"
            })
    void shouldRestartAfterAFullHeapForItMayHaveBeenTheAttemptsOwn(final Place place) {
        final JobStatus status = run(Map.of(place, () -> new OutOfMemoryError("Java heap space")));

        assertExact(status, 1);
        assertCause("OutOfMemoryError: Java heap space", status.restarts().get(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"FUNCTION_OPEN", "FUNCTION", "TIMER", "SINK_COMMIT"})
    void shouldEndWithTheCauseAfterAnErrorThatIsInTheCode(final Place place) {
        for (final Error error :
                List.of(new StackOverflowError(), new NoClassDefFoundError("planned"), new AssertionError((Object)
                        "planned"))) {
            try (Weir weir = launch()) {
                final Job job = weir.run(pipeline(Map.of(place, () -> error)));
                final JobFailedException e = assertThrows(JobFailedException.class, job::join);

                assertTrue(e.getMessage().contains(error.getClass().getSimpleName()), e.getMessage());
                assertTrue(causes(e).anyMatch(cause -> cause == error), e::toString);
                assertEquals(JobState.FAILED, job.status().state());
                assertEquals(e.getMessage(), job.status().failure());
                assertEquals(0, job.status().restartCount());
            }
        }
    }

    @Test
    void shouldLetOtherJobsOnTheSameWorkerGoOnAfterAnError() {
        final MemoryLog others = MemoryLog.unbounded(1);
        final Pipeline other = Pipeline.named("other");
        final MemoryLog endless = MemoryLog.unbounded(1);
        JobTest.addValues(endless, 0, 0, 10);
        other.read(endless, Codecs.longs()).write(others, Codecs.longs(), Delivery.EXACTLY_ONCE);
        try (Weir weir = launch()) {
            final Job second = weir.run(other);
            JobTest.await(() -> others.records(0).size() == 10, "the other job runs");

            final Job job = weir.run(pipeline(Map.of(Place.FUNCTION, () -> new StackOverflowError())));
            assertThrows(JobFailedException.class, job::join);

            JobTest.addValues(endless, 0, 10, 20);
            JobTest.await(() -> others.records(0).size() == 20, "the other job goes on");
            assertEquals(0, second.status().restartCount());
        }
    }

    @Test
    void shouldNotMindAnInterruptThatAFunctionHasLeftBehind() {
        final Pipeline pipeline = Pipeline.named("interrupting");
        pipeline.read(input, Codecs.longs())
                .map(value -> {
                    Thread.currentThread().interrupt();
                    return value;
                })
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        try (Weir weir = launch()) {
            final Job job = weir.run(pipeline);

            assertEquals(JobState.FINISHED, job.join());
            assertEquals(0, job.status().restartCount());
        }
        assertEquals(5_000, output.records(0).size());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void shouldRefuseATimeoutThatNoTaskCanKeep(final long ns) {
        final Weir.Context context = new Weir.Context().stuckTaskTimeout(Duration.ofNanos(ns));

        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Weir.launch(context));

        assertEquals("stuckTaskTimeout=" + Duration.ofNanos(ns) + " must be positive", e.getMessage());
        assertTrue(context.toString().contains("stuckTaskTimeout="), context::toString);
    }

    private JobStatus run(final Map<Place, Supplier<Throwable>> failures) {
        try (Weir weir = launch()) {
            final Job job = weir.run(pipeline(failures));
            job.join();
            return job.status();
        }
    }

    private static Weir launch() {
        return Weir.launch(new Weir.Context()
                .checkpoints(Checkpoints.every(Duration.ofMillis(1))
                        .tolerableFailures(0)
                        .in(new MemoryCheckpointStorage()))
                .restartStrategy(RESTARTS));
    }

    private Pipeline pipeline(final Map<Place, Supplier<Throwable>> failures) {
        FailingPlaces.plan(failures);
        final Pipeline pipeline = Pipeline.named("failing").parallelism(1);
        pipeline.read(new FailingPlaces.Source(input), Codecs.longs())
                .process(new FailingPlaces.Counting())
                .codec(new FailingCodec<>(Codecs.longs()))
                .keyBy(FailingPlaces::key)
                .process(new FailingPlaces.Numbering())
                .codec(Codecs.strings())
                .write(new FailingPlaces.Output(output), Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private void assertExact(final JobStatus status, final int restarts) {
        assertTrue(FailingPlaces.haveAllHappened(), "what was planned has happened");
        assertEquals(JobState.FINISHED, status.state());
        assertEquals(null, status.failure());
        assertEquals(restarts, status.restartCount(), status::toString);
        assertEquals(restarts, status.restarts().size());
        assertEquals(JobTest.expected(input), JobTest.counted(output));
        assertEquals(0, output.pendingTransactions());
    }

    private static void assertCause(final String wanted, final Restart restart) {
        assertTrue(restart.cause().contains(wanted), restart::toString);
        assertTrue(restart.downtimeNs() >= 0, restart::toString);
    }

    private static Stream<Throwable> causes(final Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }

    private static Throwable planned() {
        return new IllegalStateException("planned");
    }
}
