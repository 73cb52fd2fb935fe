package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.Migration;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.ValueState;
import io.weir.engine.status.JobState;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A job is stopped or killed, and goes on with a newer version of its state's codec. */
final class CodecUpgradeJobTest {
    private static final int KEYS = 401;
    private static final int RECORDS = 2_000;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    /** Functions are copied by serialization, so what they fail by is found here. */
    private static final AtomicInteger CALLS_UNTIL_FAILURE = new AtomicInteger();

    /** Values that were migrated. */
    private static final AtomicInteger MIGRATED = new AtomicInteger();

    record Count1(long count) {}

    record Count2(String note, long count) {}

    record Count3(String note, long count, boolean isThird) {}

    /** What the function needs of a count, whatever version it is. */
    private record Counts<C>(Codec<C> codec, Add<C> add) implements Serializable {
        interface Add<C> extends Serializable {
            C next(C before);
        }

        private static final Counts<Count1> FIRST = new Counts<>(
                Codec.ofRecord(Count1.class).id("Count"), before -> new Count1(before == null ? 1 : before.count + 1));
        private static final Counts<Count2> SECOND = new Counts<>(
                Codec.ofRecord(Count2.class)
                        .id("Count")
                        .version(2, Migration.from(1, Codec.ofRecord(Count1.class), CodecUpgradeJobTest::second)),
                before -> before == null ? new Count2("new", 1) : new Count2(before.note, before.count + 1));
        private static final Counts<Count3> THIRD = new Counts<>(
                Codec.ofRecord(Count3.class)
                        .id("Count")
                        .version(
                                3,
                                Migration.<Count2, Count3>from(
                                                2,
                                                Codec.ofRecord(Count2.class),
                                                old -> new Count3(old.note, old.count, false))
                                        .orFrom(
                                                1,
                                                Codec.ofRecord(Count1.class),
                                                old -> new Count3("from 1", old.count, false))),
                before ->
                        before == null ? new Count3("new", 1, true) : new Count3(before.note, before.count + 1, true));
    }

    private static Count2 second(final Count1 old) {
        MIGRATED.incrementAndGet();
        return new Count2("migrated at " + old.count, old.count);
    }

    private final MemoryFileStore files = new MemoryFileStore();
    private final CheckpointStorage storage = new FileCheckpointStorage(files, Path.of("/checkpoints"));
    private final MemoryLog input = MemoryLog.unbounded(2);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private long values;

    CodecUpgradeJobTest() {
        files.createDirectory(Path.of("/checkpoints"));
        CALLS_UNTIL_FAILURE.set(Integer.MAX_VALUE);
        MIGRATED.set(0);
    }

    static List<StateBackend> backends() {
        return List.of(new PagesStateBackend(), new PagesStateBackend().mergeFactor(0.2), new HeapStateBackend());
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldGoOnExactlyWithANewVersion(final StateBackend backend) {
        run(backend, Counts.FIRST, End.STOP);
        assertEquals(0, MIGRATED.get());

        // Killed before the first checkpoint that has the new version: the next process migrates again.
        try (Weir weir = Weir.launch(context(backend).checkpoints(checkpoints(Duration.ofHours(1))))) {
            final Job job = weir.run(pipeline(Counts.SECOND));
            await(() -> job.status().state() == JobState.RUNNING, job);
            job.cancel();
            job.join();
        }
        final int migratedOnce = MIGRATED.get();
        assertEquals(KEYS, migratedOnce);

        run(backend, Counts.SECOND, End.KILL);
        assertTrue(MIGRATED.get() >= 2 * KEYS, () -> MIGRATED + " migrated");
        final int migrated = MIGRATED.get();
        run(backend, Counts.SECOND, End.STOP);
        assertEquals(migrated, MIGRATED.get(), "what has the new version is migrated no more");

        assertRefused(backend, Counts.FIRST, "Count version 1 [Count(count:long)] is asked for: a newer version");
        run(backend, Counts.THIRD, End.KILL);
        run(backend, Counts.THIRD, End.STOP);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldFailWithANameWhenItCannotMigrate(final StateBackend backend) {
        run(backend, Counts.FIRST, End.STOP);

        assertRefused(
                backend,
                new Counts<>(Counts.SECOND.codec.version(2), Counts.SECOND.add),
                "count/state.count has value codec Count version 1 [Count(count:long)] in the checkpoint, but Count"
                        + " version 2 [Count@2(note:string?,count:long)] is asked for: there is no migration");
        assertRefused(
                backend,
                new Counts<>(
                        Counts.SECOND.codec.version(2, (fromVersion, old) -> {
                            throw new IllegalStateException("planned failure");
                        }),
                        Counts.SECOND.add),
                "state 'count' of operator count: the migration of a value of codec Count from version 1 to 2 failed at"
                        + " key ");
        run(backend, Counts.SECOND, End.STOP);
    }

    private void assertRefused(final StateBackend backend, final Counts<?> counts, final String reason) {
        try (Weir weir = Weir.launch(context(backend))) {
            final JobFailedException e = assertThrows(
                    JobFailedException.class, () -> weir.run(pipeline(counts)).join());
            assertTrue(e.getMessage().contains(reason), e::getMessage);
            assertTrue(e.getMessage().contains("operator count (1/2) could not be opened"), e::getMessage);
        }
    }

    private enum End {
        STOP,
        KILL
    }

    /** Runs the job, which fails and restarts on the way, until it has counted more records. */
    private void run(final StateBackend backend, final Counts<?> counts, final End end) {
        try (Weir weir = Weir.launch(context(backend))) {
            final Job job = weir.run(pipeline(counts));
            for (int round = 0; round < 3; round++) {
                final int restarts = job.status().restarts().size();
                CALLS_UNTIL_FAILURE.set(RECORDS / (round + 2));
                add();
                await(() -> job.status().restarts().size() > restarts && hasCountedAll(), job);
                assertEquals(expected(), counted());
            }
            add();
            if (end == End.STOP) {
                await(this::hasCountedAll, job);
                job.stop();
                assertEquals(JobState.STOPPED, job.join());
                assertEquals(expected(), counted());
            } else {
                job.cancel();
                job.join();
            }
        }
    }

    private Weir.Context context(final StateBackend backend) {
        return new Weir.Context()
                .workers(2)
                .stateBackend(backend)
                .restartStrategy(RestartStrategy.fixedDelay(1_000, Duration.ZERO))
                .checkpoints(checkpoints(Duration.ofMillis(3)));
    }

    private Checkpoints checkpoints(final Duration interval) {
        return Checkpoints.every(interval)
                .in(storage)
                .tolerableFailures(1_000_000)
                .retained(2);
    }

    private Pipeline pipeline(final Counts<?> counts) {
        final Pipeline pipeline = Pipeline.named("counts").parallelism(2);
        pipeline.read(input, Codecs.longs())
                .keyByLong(value -> value % KEYS)
                .process(new Counting<>(counts))
                .uid("count")
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private void add() {
        for (int i = 0; i < RECORDS; i++, values++) {
            final ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            input.add((int) (values & 1), value.putLong(values).array());
        }
    }

    private boolean hasCountedAll() {
        return output.records(0).size() >= values;
    }

    /** For each key, the counts 1, 2, 3 ... each once. */
    private Map<String, Integer> expected() {
        final Map<String, Integer> expected = new TreeMap<>();
        for (long value = 0; value < values; value++) {
            expected.put(value % KEYS + ":" + (value / KEYS + 1), 1);
        }
        return expected;
    }

    private Map<String, Integer> counted() {
        final Map<String, Integer> counted = new TreeMap<>();
        for (final byte[] record : output.records(0)) {
            counted.merge(new String(record, StandardCharsets.UTF_8), 1, Integer::sum);
        }
        return counted;
    }

    private static void await(final BooleanSupplier condition, final Job job) {
        final long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadlineNs, () -> "not in time: " + job.status());
            if (job.status().state() == JobState.FAILED) {
                job.join(); // tells why
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    private static final class Counting<C> implements KeyedProcessFunction<Long, Long, String> {
        private static final long serialVersionUID = 1L;

        private final Counts<C> counts;
        private transient ValueState<C> count;

        Counting(final Counts<C> counts) {
            this.counts = counts;
        }

        @Override
        public void open(final KeyedStates states) {
            count = states.valueState("count", counts.codec);
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<String> out)
                throws Exception {
            if (CALLS_UNTIL_FAILURE.getAndDecrement() == 0) {
                throw new IllegalStateException("planned failure");
            }
            final C next = counts.add.next(count.value());
            count.update(next);
            out.collect(context.longKey() + ":" + next.toString().replaceAll(".*count=([0-9]+).*", "$1"));
        }
    }
}
