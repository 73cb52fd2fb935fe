package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.Stream;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.Tumbling;
import io.weir.engine.status.JobState;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows and late records of whole jobs: the same at any parallelism, and those of the definition. */
final class LateRecordsJobTest {
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 5_000;
    private static final long BOUND = 10;
    private static final long SIZE = 20;

    record Reading(String key, long time, long value) {}

    record Sum(String key, long start, long value) {}

    static final class Adding implements AggregateFunction<Reading, Sum, Sum> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sum create() {
            return new Sum(null, 0, 0);
        }

        @Override
        public Sum add(final Sum sum, final Reading reading) {
            return new Sum(reading.key(), 0, sum.value() + reading.value());
        }

        @Override
        public Sum result(final Sum sum, final TimeWindow window) {
            return new Sum(sum.key(), window.startNs(), sum.value());
        }
    }

    private final Codec<Reading> readings = Codec.ofRecord(Reading.class);
    private final Codec<Sum> sums = Codec.ofRecord(Sum.class);
    private final MemoryLog input = MemoryLog.bounded(PARTITIONS);
    private final MemoryLog results = MemoryLog.unbounded(1);
    private final MemoryLog tooLate = MemoryLog.unbounded(1);
    private final Set<String> expectedResults = new TreeSet<>();
    private final Set<String> expectedLate = new TreeSet<>();

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "4, 2"})
    void shouldGiveTheResultsAndLateRecordsOfTheDefinition(final int parallelism, final int workers) {
        // given: the late sink stands in the window's task, the other one elsewhere
        fill(new Random(7));
        final Pipeline pipeline = Pipeline.named("late").parallelism(parallelism);
        final OutputTag<Reading> late = OutputTag.of("late", readings);
        final Stream<Sum> windows = pipeline.read(input, readings)
                .eventTime(Reading::time, TimeUnit.NANOSECONDS, Duration.ofNanos(BOUND))
                .keyBy(Reading::key)
                .window(new Tumbling(SIZE, 0))
                .lateTo(late)
                .aggregate(new Adding());
        windows.keyBy(sum -> sum).distinct().write(results, sums, Delivery.EXACTLY_ONCE);
        windows.sideOutput(late).write(tooLate, readings, Delivery.EXACTLY_ONCE);

        // when
        final JobState end;
        try (Weir weir = Weir.launch(new Weir.Context()
                .workers(workers)
                .checkpoints(Checkpoints.every(Duration.ofMillis(5)).inMemory()))) {
            end = weir.run(pipeline).join();
        }

        // then
        assertEquals(JobState.FINISHED, end);
        assertFalse(expectedLate.isEmpty());
        assertEquals(expectedLate, texts(tooLate, readings));
        assertEquals(expectedResults, texts(results, sums));
    }

    @Test
    void shouldWaitForTheLastCheckpointOfASinkBehindASideOutputOnly() {
        // given: no periodic checkpoint comes before the end
        fill(new Random(7));
        final Pipeline pipeline = Pipeline.named("late");
        final OutputTag<Reading> late = OutputTag.of("late", readings);
        pipeline.read(input, readings)
                .eventTime(Reading::time, TimeUnit.NANOSECONDS, Duration.ofNanos(BOUND))
                .keyBy(Reading::key)
                .window(new Tumbling(SIZE, 0))
                .lateTo(late)
                .aggregate(new Adding())
                .sideOutput(late)
                .write(tooLate, readings, Delivery.EXACTLY_ONCE);

        // when
        try (Weir weir = Weir.launch(new Weir.Context()
                .workers(1)
                .checkpoints(Checkpoints.every(Duration.ofHours(1)).inMemory()))) {
            assertEquals(JobState.FINISHED, weir.run(pipeline).join());
        }

        // then
        assertEquals(expectedLate, texts(tooLate, readings));
    }

    private void fill(final Random random) {
        final Map<String, Sum> open = new TreeMap<>();
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            long time = 0;
            long greatest = Long.MIN_VALUE;
            for (int i = 0; i < RECORDS; i++) {
                time += random.nextInt(3);
                final long disorder = random.nextInt(20) == 0 ? random.nextInt(60) : random.nextInt(10);
                final Reading reading = new Reading(
                        "k" + random.nextInt(5), Math.max(0, time - disorder), (long) partition * RECORDS + i);
                final byte[] bytes = new byte[readings.encode(reading, buffer, 0)];
                buffer.getBytes(0, bytes);
                input.add(partition, bytes);
                final long start = reading.time() / SIZE * SIZE;
                if (i > 0 && start + SIZE + BOUND <= greatest) {
                    expectedLate.add(reading.toString());
                } else {
                    open.merge(
                            reading.key() + '@' + start,
                            new Sum(reading.key(), start, reading.value()),
                            (a, b) -> new Sum(a.key(), a.start(), a.value() + b.value()));
                }
                greatest = Math.max(greatest, reading.time());
            }
        }
        open.values().forEach(sum -> expectedResults.add(sum.toString()));
    }

    private static <T> Set<String> texts(final MemoryLog log, final Codec<T> codec) {
        final List<String> texts = new ArrayList<>();
        for (final byte[] bytes : log.records(0)) {
            texts.add(codec.decode(new UnsafeBuffer(bytes), 0, bytes.length).toString());
        }
        final Set<String> once = new TreeSet<>(texts);
        assertEquals(texts.size(), once.size(), "a record was written twice");
        return once;
    }
}
