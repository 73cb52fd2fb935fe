package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.harness.ForwardingWriter;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.LogException;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.state.StateException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole jobs on real workers and a real media driver: what comes out is what an uninterrupted run would have given. */
final class JobTest {
    static final int KEYS = 37;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final MemoryLog output = MemoryLog.unbounded(1);
    private final CheckpointStorage storage = new MemoryCheckpointStorage();
    private final AtomicLong calls = new AtomicLong();

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "2, 2", "4, 2", "32, 2"})
    void shouldCountEveryRecordOnce(final int parallelism, final int workers) {
        // given
        final MemoryLog input = input(5_000, 1, 20_000, 0);

        // when
        final JobState end;
        try (Weir weir = Weir.launch(context(workers))) {
            end = weir.run(pipeline(input, parallelism, call -> false)).join();
        }

        // then
        assertEquals(JobState.FINISHED, end);
        assertEquals(expected(input), counted());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "4, 2"})
    void shouldGoOnExactlyAfterAnOperatorFailed(final int parallelism, final int workers) {
        // given: three failures, each once; tasks that fail in the same attempt share its restart
        final MemoryLog input = input(20_000, 9_000, 20_000);
        final List<Long> failAt = Collections.synchronizedList(new ArrayList<>(List.of(3_000L, 11_000L, 19_999L)));

        // when
        final JobStatus status;
        try (Weir weir = Weir.launch(context(workers).checkpoints(every(2)))) {
            final Job job = weir.run(pipeline(input, parallelism, failAt::remove));
            job.join();
            status = job.status();
        }

        // then
        assertEquals(JobState.FINISHED, status.state());
        assertTrue(status.restarts().size() >= 1 && status.restarts().size() <= 3, status::toString);
        assertTrue(status.restarts().get(0).cause().contains("planned"), status::toString);
        assertEquals(expected(input), counted());
    }

    @Test
    void shouldGoOnExactlyAfterManyFailuresAtRandomMoments() {
        // given
        final MemoryLog input = input(30_000, 100, 10_000, 30_000);
        final AtomicInteger failures = new AtomicInteger();
        final Random random = new Random(42);

        // when
        final JobStatus status;
        try (Weir weir = Weir.launch(
                context(2).checkpoints(every(1)).restartStrategy(RestartStrategy.fixedDelay(1_000, Duration.ZERO)))) {
            final Job job = weir.run(pipeline(input, 2, call -> {
                synchronized (random) {
                    return failures.get() < 25 && random.nextInt(8_000) == 0 && failures.incrementAndGet() > 0;
                }
            }));
            job.join();
            status = job.status();
        }

        // then
        assertTrue(status.restarts().size() > 1, status::toString);
        assertTrue(status.restarts().size() <= failures.get(), status::toString);
        assertEquals(expected(input), counted());
    }

    @Test
    void shouldStopBehindALastCheckpointAndGoOnFromThere() {
        // given: an input that never ends
        final MemoryLog input = MemoryLog.unbounded(2);
        addValues(input, 0, 0, 5_000);
        addValues(input, 1, 5_000, 6_000);

        // when: stopped after some output, and run again with more input
        try (Weir weir = Weir.launch(context(2).checkpoints(every(1_000_000)))) {
            final Job job = weir.run(pipeline(input, 2, call -> false));
            await(() -> records(job) == 6_000, "all input read");
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        assertEquals(expected(input), counted(), "all that was read is committed by the last checkpoint");
        addValues(input, 0, 6_000, 9_000);
        try (Weir weir = Weir.launch(context(2).checkpoints(every(5)))) {
            final Job job = weir.run(pipeline(input, 2, call -> false));
            await(() -> job.status().state() == JobState.RUNNING && records(job) == 3_000, "the rest read");
            assertTrue(job.status().restoredCheckpointId() > 0);
            await(() -> counted().equals(expected(input)), "periodic checkpoints commit");
            job.cancel();
            assertEquals(JobState.CANCELLED, job.join());
        }

        // then
        assertEquals(expected(input), counted());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellThatAStopCameToNothingAlsoIfTheAttemptDiedOfIt(final boolean bySnapshot) {
        // given: an input that never ends, and a last checkpoint that fails the attempt, or whose commit does
        final MemoryLog input = MemoryLog.unbounded(1);
        addValues(input, 0, 0, 1_000);
        final Pipeline pipeline = Pipeline.named("stopping");
        pipeline.read(input, Codecs.longs())
                .process(new FailingSnapshot(bySnapshot ? 1 : 0))
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        if (!bySnapshot) {
            output.failCommitAfter(0);
        }

        // when
        try (Weir weir = Weir.launch(context(1).checkpoints(every(1_000_000).tolerableFailures(0)))) {
            final Job job = weir.run(pipeline);
            await(() -> records(job) == 1_000, "all input read");
            job.stop();
            await(job::hasStopFailed, "the stop came to nothing");

            // then
            await(
                    () -> job.status().attempt() == 2
                            && job.status().state() == JobState.RUNNING
                            && records(job) == (bySnapshot ? 1_000 : 0),
                    "the job goes on in another attempt, from nothing or behind all that is there");
            assertEquals(1, job.status().restarts().size());
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        assertEquals(1_000, output.records(0).size());
    }

    @Test
    void shouldGiveNothingNewWhenAFinishedJobIsRunAgain() {
        // given
        final MemoryLog input = input(1_000, 10);
        try (Weir weir = Weir.launch(context(2))) {
            weir.run(pipeline(input, 2, call -> false)).join();
        }
        final int before = output.records(0).size();

        // when
        final JobState end;
        try (Weir weir = Weir.launch(context(2))) {
            end = weir.run(pipeline(input, 2, call -> false)).join();
        }

        // then
        assertEquals(JobState.FINISHED, end);
        assertEquals(before, output.records(0).size());
    }

    @Test
    void shouldFailWithTheCauseWhenRestartsAreUsedUp() {
        // given
        final MemoryLog input = input(100);

        // when
        try (Weir weir = Weir.launch(context(1).restartStrategy(RestartStrategy.fixedDelay(2, Duration.ofMillis(1))))) {
            final Job job = weir.run(pipeline(input, 1, call -> call >= 50));
            final JobFailedException e = assertThrows(JobFailedException.class, job::join);

            // then
            assertTrue(e.getMessage().contains("planned failure of call"), e.getMessage());
            assertEquals(JobState.FAILED, job.status().state());
            assertEquals(2, job.status().restarts().size());
        }
        assertEquals(0, output.records(0).size());
        assertEquals(0, output.pendingTransactions());
    }

    @ParameterizedTest
    @CsvSource({"CORRUPTION, 0", "STATE, 0", "PERMANENT_LOG, 0", "LOG, 2", "OTHER, 2"})
    void shouldTryAgainOnlyWhatARestartMayMend(final Failing failing, final int restarts) {
        // given: the failure may be the cause of another
        final Pipeline pipeline = Pipeline.named("failing");
        pipeline.read(input(100), Codecs.longs())
                .<Long>map(value -> {
                    throw value % 2 == 0 ? failing.exception() : new LogException("wrapped", failing.exception());
                })
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);

        // when
        try (Weir weir = Weir.launch(context(1).restartStrategy(RestartStrategy.fixedDelay(2, Duration.ZERO)))) {
            final Job job = weir.run(pipeline);
            assertThrows(JobFailedException.class, job::join);

            // then
            assertEquals(restarts, job.status().restarts().size());
        }
    }

    /** What a job may die of. */
    enum Failing {
        CORRUPTION,
        STATE,
        PERMANENT_LOG,
        LOG,
        OTHER;

        RuntimeException exception() {
            return switch (this) {
                case CORRUPTION -> new CorruptionException("planned");
                case STATE -> new StateException("planned");
                case PERMANENT_LOG -> LogException.permanent("planned");
                case LOG -> new LogException("planned");
                case OTHER -> new IllegalStateException("planned");
            };
        }
    }

    @Test
    void shouldFailWithTheCauseWhenACommitDiesOfAnError() {
        // given: what commits dies of something that is no Exception
        final TransactionalLog dying = new TransactionalLog() {
            @Override
            public String name() {
                return "dying";
            }

            @Override
            public TransactionalWriter open(final String writerId, final long attempt) {
                return new CommitDies(output.open(writerId, attempt));
            }
        };
        final Pipeline pipeline = Pipeline.named("dying");
        pipeline.read(input(100), Codecs.longs()).write(dying, Codecs.longs(), Delivery.EXACTLY_ONCE);

        // when
        try (Weir weir = Weir.launch(context(1).restartStrategy(RestartStrategy.none()))) {
            final JobFailedException e = assertThrows(
                    JobFailedException.class, () -> weir.run(pipeline).join());

            // then
            assertTrue(e.getMessage().contains("planned"), e.getMessage());
        }
    }

    @Test
    void shouldRefuseAParallelismWhoseChannelsHaveNoRoom() {
        // given: 128 * 128 channels, twice
        final MemoryLog input = input(1_000);

        // when
        try (Weir weir = Weir.launch(context(1))) {
            final Job job = weir.run(pipeline(input, 128, call -> false));
            final JobFailedException e = assertThrows(JobFailedException.class, job::join);

            // then
            assertTrue(e.getMessage().contains("16384 of them from "), e.getMessage());
            assertTrue(e.getMessage().contains("(parallelism 128) to process (parallelism 128)"), e.getMessage());
            assertTrue(e.getMessage().contains("no room for 32768 more channels: they need "), e.getMessage());
            assertEquals(0, job.status().restarts().size());
        }
    }

    @Test
    void shouldRestoreTheListsOfAFunctionAndTheirUnion() {
        // given: each subtask numbers its records under an id of its own, and knows how many ids it was told at its
        // restore
        final MemoryLog input = MemoryLog.unbounded(2);
        addValues(input, 0, 0, 3_000);
        addValues(input, 1, 0, 2_000);
        final Pipeline pipeline = Pipeline.named("numbering").parallelism(2);
        pipeline.read(input, Codecs.longs())
                .process(new Numbering())
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);

        // when: stopped after all of it, and run again with more input
        try (Weir weir = Weir.launch(context(2).checkpoints(every(1_000_000)))) {
            final Job job = weir.run(pipeline);
            await(() -> records(job) == 5_000, "all input read");
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        addValues(input, 0, 0, 500);
        addValues(input, 1, 0, 500);
        try (Weir weir = Weir.launch(context(2).checkpoints(every(5)))) {
            final Job job = weir.run(pipeline);
            await(() -> counted().size() == 6_000, "the rest is committed");
            job.cancel();
            assertEquals(JobState.CANCELLED, job.join());
        }

        // then
        final Map<String, Integer> counted = counted();
        counted.forEach((text, times) -> assertEquals(1, times, text));
        final List<String> last = counted.keySet().stream()
                .filter(text -> text.endsWith(":3500") || text.endsWith(":2500"))
                .map(text -> text.substring(0, text.indexOf(' ')))
                .toList();
        // The subtask of 3,500 records had number 2,500 before the restore.
        assertEquals(List.of("0", "2", "2"), last);
    }

    @Test
    void shouldRunSeveralJobsOnOneEngine() {
        // given
        final MemoryLog input = input(3_000);
        final MemoryLog otherOutput = MemoryLog.unbounded(1);

        // when
        try (Weir weir = Weir.launch(context(2))) {
            final Job first = weir.run(pipeline(input, 2, call -> false));
            final Pipeline copy = Pipeline.named("copy");
            copy.read(input, Codecs.longs()).write(otherOutput, Codecs.longs(), Delivery.EXACTLY_ONCE);
            final Job second = weir.run(copy);
            first.join();
            second.join();
        }

        // then
        assertEquals(expected(input), counted());
        assertEquals(3_000, otherOutput.records(0).size());
    }

    @Test
    void shouldLeaveNoThreadBehind() {
        // given
        final MemoryLog input = input(100);

        // when
        try (Weir weir = Weir.launch(context(2))) {
            weir.run(pipeline(input, 2, call -> false)).join();
        }

        // then
        await(
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("weir-")),
                "threads end");
        assertFalse(output.records(0).isEmpty());
    }

    private Weir.Context context(final int workers) {
        return new Weir.Context().workers(workers).checkpoints(every(10));
    }

    private Checkpoints every(final long intervalMs) {
        return Checkpoints.every(Duration.ofMillis(intervalMs)).in(storage);
    }

    private Pipeline pipeline(final MemoryLog input, final int parallelism, final LongPredicate failure) {
        final Pipeline pipeline = Pipeline.named("count").parallelism(parallelism);
        pipeline.read(input, Codecs.longs())
                .keyByLong(value -> value % KEYS)
                .process(new Count())
                .codec(Codecs.strings())
                .keyBy(text -> text)
                .process((String text, KeyedProcessContext<String> context, Collector<String> out) -> {
                    final long call = calls.incrementAndGet();
                    if (failure.test(call)) {
                        throw new IllegalStateException("planned failure of call " + call);
                    }
                    out.collect(text);
                })
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    static MemoryLog input(final int... valuesOfPartition) {
        final MemoryLog log = MemoryLog.bounded(valuesOfPartition.length);
        long first = 0;
        for (int partition = 0; partition < valuesOfPartition.length; partition++) {
            addValues(log, partition, first, first + valuesOfPartition[partition]);
            first += valuesOfPartition[partition];
        }
        return log;
    }

    static void addValues(final MemoryLog log, final int partition, final long from, final long to) {
        for (long value = from; value < to; value++) {
            log.add(
                    partition,
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(value)
                            .array());
        }
    }

    /** For each key, the counts 1, 2, 3 ... each once. */
    static Map<String, Integer> expected(final MemoryLog input) {
        return expected(input, KEYS);
    }

    static Map<String, Integer> expected(final MemoryLog input, final int keys) {
        final long[] counts = new long[keys];
        final Map<String, Integer> expected = new TreeMap<>();
        for (int partition = 0; partition < input.partitions().size(); partition++) {
            for (final byte[] record : input.records(partition)) {
                final int key = (int)
                        (ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getLong() % keys);
                expected.put(key + ":" + ++counts[key], 1);
            }
        }
        return expected;
    }

    private Map<String, Integer> counted() {
        return counted(output);
    }

    static Map<String, Integer> counted(final MemoryLog output) {
        final Map<String, Integer> counted = new TreeMap<>();
        for (final byte[] record : output.records(0)) {
            counted.merge(new String(record, StandardCharsets.UTF_8), 1, Integer::sum);
        }
        return counted;
    }

    static long records(final Job job) {
        return job.status().counters().entrySet().stream()
                .filter(counter -> counter.getKey().endsWith("/records"))
                .mapToLong(counter -> counter.getValue())
                .sum();
    }

    static void await(final BooleanSupplier condition, final String what) {
        final long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadlineNs, "not in time: " + what);
            Thread.onSpinWait();
        }
    }

    static final class Count implements KeyedProcessFunction<Long, Long, String> {
        private static final long serialVersionUID = 1L;

        private transient LongState count;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<String> out)
                throws Exception {
            count.set(count.get(0) + 1);
            out.collect(context.longKey() + ":" + count.get(0));
        }
    }

    /** Passes on what it gets; its first snapshots fail. */
    private static final class FailingSnapshot implements ProcessFunction<Long, Long>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger LEFT = new AtomicInteger();

        FailingSnapshot(final int failures) {
            LEFT.set(failures);
        }

        @Override
        public void initialize(final OperatorStates states) {
            // It has none.
        }

        @Override
        public void snapshot(final long checkpointId) {
            if (LEFT.getAndDecrement() > 0) {
                throw new IllegalStateException("planned failure of a snapshot");
            }
        }

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out)
                throws Exception {
            out.collect(value);
        }
    }

    /** Emits how many ids were restored, the own id, and the number of the record in this subtask. */
    private static final class Numbering implements ProcessFunction<Long, String>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private static final AtomicLong NEXT_ID = new AtomicLong();
        private transient ListState<Long> ids;
        private transient ListState<Long> own;
        private transient int restoredIds;
        private transient long id;
        private transient long count;

        @Override
        public void initialize(final OperatorStates states) {
            ids = states.unionList("ids", Codecs.longs());
            own = states.list("own", Codecs.longs());
            restoredIds = ids.size();
            id = own.size() == 0 ? NEXT_ID.getAndIncrement() : own.get(0);
            count = own.size() == 0 ? 0 : own.get(1);
        }

        @Override
        public void snapshot(final long checkpointId) {
            ids.update(List.of(id));
            own.update(List.of(id, count));
        }

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<String> out)
                throws Exception {
            out.collect(restoredIds + " " + id + ":" + ++count);
        }
    }

    private static final class CommitDies extends ForwardingWriter {
        CommitDies(final TransactionalWriter writer) {
            super(writer);
        }

        @Override
        public void commit(final byte[] handle) {
            throw new AssertionError("planned");
        }
    }
}
