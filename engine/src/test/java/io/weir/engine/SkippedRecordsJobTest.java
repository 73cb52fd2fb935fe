package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.Pipeline;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that sources skip are counted once, like those that they read. */
final class SkippedRecordsJobTest {
    private static final byte[] BAD = {1, 2, 3};

    private final CheckpointStorage storage = new MemoryCheckpointStorage();
    private final MemoryLog output = MemoryLog.unbounded(1);

    @Test
    void shouldNotTakeSkippedRecordsForReadOnes() {
        final MemoryLog input = MemoryLog.bounded(1);
        add(input, 0, 0, 100, 7);

        final JobStatus status = runToTheEnd(input);

        assertEquals(100, status.counters().get("numbers/records"));
        assertEquals(7, status.counters().get("numbers/badRecords"));
        assertEquals(7, status.skippedRecords());
        assertEquals(7, status.firstSkipped().size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountASkippedRecordOnceOverFailuresAndProcesses(final boolean isStopped) {
        final MemoryLog input = MemoryLog.unbounded(2);
        final AtomicBoolean fails = new AtomicBoolean(true);
        add(input, 0, 0, 1_000, 3);
        try (Weir weir = Weir.launch(context())) {
            final Job job = weir.run(pipeline(input, value -> value >= 1_500 && fails.getAndSet(false)));
            awaitVisible(1_000);
            add(input, 1, 1_000, 1_400, 2);
            // Skipped, and met by the failure before or behind a checkpoint: both are right.
            add(input, 0, 1_400, 2_000, 4);
            awaitVisible(2_000);
            assertEquals(1, job.status().restarts().size());
            assertEquals(9, job.status().skippedRecords());
            if (isStopped) {
                job.stop();
            } else {
                job.cancel();
            }
            assertEquals(isStopped ? JobState.STOPPED : JobState.CANCELLED, job.join());
        }
        add(input, 1, 2_000, 2_100, 1);

        try (Weir weir = Weir.launch(context())) {
            final Job job = weir.run(pipeline(input, value -> false));
            awaitVisible(2_100);
            JobTest.await(() -> job.status().skippedRecords() == 10, "all skipped ones counted");
            assertTrue(job.status().restoredCheckpointId() > 0);
            assertTrue(job.status().firstSkipped().size() < 10, "places are those of this process");
            job.stop();
            job.join();
            assertEquals(10, job.status().skippedRecords());
        }
    }

    @Test
    void shouldKnowWhatAJobThatHasEndedSkipped() {
        final MemoryLog input = MemoryLog.bounded(3);
        add(input, 1, 0, 10, 2);
        runToTheEnd(input);

        final JobStatus again = runToTheEnd(input);

        assertEquals(2, again.skippedRecords());
        assertEquals(0, again.firstSkipped().size());
    }

    private JobStatus runToTheEnd(final MemoryLog input) {
        try (Weir weir = Weir.launch(context())) {
            final Job job = weir.run(pipeline(input, value -> false));
            assertEquals(JobState.FINISHED, job.join());
            return job.status();
        }
    }

    private Weir.Context context() {
        return new Weir.Context()
                .workers(1)
                .checkpoints(Checkpoints.every(Duration.ofMillis(1)).in(storage));
    }

    private Pipeline pipeline(final MemoryLog input, final LongPredicate failure) {
        final Pipeline pipeline = Pipeline.named("skipping").parallelism(2);
        pipeline.read(input, Codecs.longs(), OnBadRecord.SKIP)
                .uid("numbers")
                .<Long>map(value -> {
                    if (failure.test(value)) {
                        throw new IllegalStateException("planned failure");
                    }
                    return value;
                })
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private void awaitVisible(final int records) {
        JobTest.await(() -> output.records(0).size() == records, records + " records");
    }

    /** Numbers, with bad records among them, the last of all a number. */
    private static void add(final MemoryLog input, final int partition, final long from, final long to, final int bad) {
        final long last = to - 1;
        JobTest.addValues(input, partition, from, last);
        for (int i = 0; i < bad; i++) {
            input.add(partition, BAD);
        }
        JobTest.addValues(input, partition, last, to);
    }
}
