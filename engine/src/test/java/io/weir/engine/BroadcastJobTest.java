package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole jobs with broadcast state on real workers and a real media driver. */
final class BroadcastJobTest {
    private final MemoryLog output = MemoryLog.unbounded(1);
    private final CheckpointStorage storage = new MemoryCheckpointStorage();

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 2"})
    void shouldGoOnExactlyAfterAnOperatorFailed(final int parallelism, final int workers) {
        // given: failures, each once
        final MemoryLog data = JobTest.input(8_000, 3_000, 5_000);
        final MemoryLog rules = JobTest.input(120, 60);
        final AtomicLong calls = new AtomicLong();
        final List<Long> failAt = Collections.synchronizedList(new ArrayList<>(List.of(2_000L, 9_000L, 15_000L)));

        // when
        final JobStatus status;
        try (Weir weir = launch(workers, 2)) {
            final Job job = weir.run(BroadcastJob.pipeline(
                    data, rules, output, parallelism, () -> failAt.remove(calls.incrementAndGet())));
            job.join();
            status = job.status();
        }

        // then
        assertEquals(JobState.FINISHED, status.state());
        assertTrue(status.restarts().size() >= 1, status::toString);
        BroadcastJob.check(data, rules, output, parallelism);
    }

    @Test
    void shouldGoOnWithBroadcastStateAndRefuseAJobThatLeavesItOut() {
        // given: inputs that never end, and a job stopped in between
        final MemoryLog data = MemoryLog.unbounded(2);
        final MemoryLog rules = MemoryLog.unbounded(1);
        JobTest.addValues(data, 0, 0, 1_000);
        JobTest.addValues(rules, 0, 0, 20);
        try (Weir weir = launch(2, 1_000_000)) {
            final Job job = weir.run(BroadcastJob.pipeline(data, rules, output, 2, () -> false));
            JobTest.await(() -> JobTest.records(job) == 1_020, "all input read");
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        BroadcastJob.check(data, rules, output, 2);

        // when: run with a state of another name
        final BroadcastStateDescriptor<Long, Long> other =
                BroadcastStateDescriptor.of("others", Codecs.longs(), Codecs.longs());
        try (Weir weir = launch(2, 1_000_000)) {
            final Job job = weir.run(BroadcastJob.pipeline(other, new Silent(), data, rules, output, 2, () -> false));
            final JobFailedException e = assertThrows(JobFailedException.class, job::join);

            // then
            assertTrue(e.getMessage().contains("count/rules"), e.getMessage());
        }

        // when: run as before, with more input
        JobTest.addValues(data, 1, 0, 1_000);
        JobTest.addValues(rules, 0, 20, 30);
        try (Weir weir = launch(2, 5)) {
            final Job job = weir.run(BroadcastJob.pipeline(data, rules, output, 2, () -> false));
            JobTest.await(() -> JobTest.records(job) == 1_010, "the rest read");
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        BroadcastJob.check(data, rules, output, 2);
    }

    private Weir launch(final int workers, final long intervalMs) {
        return Weir.launch(new Weir.Context()
                .workers(workers)
                .checkpoints(Checkpoints.every(Duration.ofMillis(intervalMs)).in(storage)));
    }

    /** Has the same state by key, and does nothing. */
    private static final class Silent implements KeyedBroadcastProcessFunction<Long, Long, Long, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void open(final KeyedStates states) {
            states.longState("count");
        }

        @Override
        public void processElement(
                final Long value, final ReadOnlyContext<Long> context, final Collector<String> out) {}

        @Override
        public void processBroadcastElement(
                final Long rule, final Context<Long> context, final Collector<String> out) {}
    }
}
