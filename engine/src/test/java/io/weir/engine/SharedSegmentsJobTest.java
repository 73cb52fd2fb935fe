package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.DeltaStateBackend;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Jobs whose state backend keeps its snapshots in segments that several checkpoints rest on. */
final class SharedSegmentsJobTest {
    private static final int KEYS = 37;
    private static final long SEED = 7;
    private static final Duration DEADLINE = Duration.ofSeconds(15);

    /** Functions are copied by serialization, so what they fail by is found here. */
    private static final AtomicInteger CALLS_UNTIL_FAILURE = new AtomicInteger();

    private final MemoryFileStore files = new MemoryFileStore();
    private final CheckpointStorage storage = new FileCheckpointStorage(files, Path.of("/checkpoints"));
    private final MemoryLog input = MemoryLog.unbounded(2);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private long values;

    SharedSegmentsJobTest() {
        files.createDirectory(Path.of("/checkpoints"));
        CALLS_UNTIL_FAILURE.set(Integer.MAX_VALUE);
    }

    /** FLINK-25395: a write that fails takes nothing along that an earlier checkpoint rests on. */
    @Test
    void shouldGoOnExactlyWhileOperatorsAndWritesFail() {
        // given
        final Random random = new Random(SEED);
        final AtomicBoolean calm = new AtomicBoolean();
        final AtomicInteger failedWrites = new AtomicInteger();
        final DeltaStateBackend backend = new DeltaStateBackend(checkpointId -> {
            synchronized (random) {
                return !calm.get() && random.nextInt(12) == 0 && failedWrites.incrementAndGet() > 0;
            }
        });

        // when: records come all the time, and again and again the second operator fails
        final JobStatus status;
        try (Weir weir = Weir.launch(context(backend))) {
            final Job job = weir.run(pipeline());
            for (int round = 0; round < 12; round++) {
                final long completed = job.status().checkpoints().completed();
                add(1_000);
                await(() -> job.status().checkpoints().completed() > completed + 2, () -> "checkpoints", job);
                final int restarts = job.status().restarts().size();
                CALLS_UNTIL_FAILURE.set(1 + random.nextInt(500));
                add(1_000);
                await(() -> job.status().restarts().size() > restarts, () -> "a restart", job);
            }
            await(() -> counted().equals(expected()), () -> "all committed" + difference(), job);
            calm.set(true); // else the last checkpoint may come to nothing, and the job goes on
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
            status = job.status();
        }

        // then
        assertTrue(failedWrites.get() > 0, "no write failed");
        assertTrue(status.checkpoints().aborted() > 0, status::toString);
        assertEquals(expected(), counted(), "seed " + SEED);
        assertClosed(backend);
        assertOnlyNamedFilesAreThere();
    }

    @Test
    void shouldGoOnFromASharedChainInAnotherProcessAndRefuseAnotherBackend() {
        // given: checkpoints whose state lies in several segments
        run(new HeapStateBackend(), 1);
        final DeltaStateBackend backend = new DeltaStateBackend();
        for (int process = 2; process < 5; process++) {
            run(backend, process);
        }
        assertOnlyNamedFilesAreThere();

        // when
        try (Weir weir = Weir.launch(context(new HeapStateBackend()))) {
            final JobFailedException e = assertThrows(
                    JobFailedException.class, () -> weir.run(pipeline()).join());

            // then
            final String message = e.getMessage();
            assertTrue(message.contains("was taken with state backend delta"), message);
            assertTrue(message.contains("state backend heap can't read"), message);
            assertTrue(message.contains("run the job with state backend delta"), message);
        }
        run(backend, 5);
        assertClosed(backend);
    }

    /** Runs the job until it has counted more records, and stops it. */
    private void run(final StateBackend backend, final int process) {
        try (Weir weir = Weir.launch(context(backend))) {
            final Job job = weir.run(pipeline());
            for (int round = 0; round < 3; round++) {
                add(500);
                await(() -> counted().equals(expected()), () -> "process " + process + " commits" + difference(), job);
            }
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
            assertEquals(expected(), counted());
        }
    }

    private void assertOnlyNamedFilesAreThere() {
        try (CheckpointStore store = storage.open("count")) {
            final List<Long> completed = store.completed();
            final Manifest newest = store.load(completed.get(completed.size() - 1));
            assertEquals("delta", newest.stateBackend());
            // Of two checkpoints in a row one at most has just begun its chains anew.
            assertTrue(
                    completed.stream()
                            .flatMap(id -> store.load(id).tasks().stream())
                            .anyMatch(task -> task.shared().size() > 1),
                    newest::toString);
            final TreeSet<String> named = new TreeSet<>();
            for (final long id : completed) {
                store.load(id)
                        .tasks()
                        .forEach(task ->
                                task.shared().stream().map(SegmentHandle::file).forEach(named::add));
            }
            final TreeSet<String> there = new TreeSet<>();
            files.list(Path.of("/checkpoints/count/shared")).forEach(name -> there.add("shared/" + name));
            assertEquals(named, there);
        }
    }

    private static void assertClosed(final DeltaStateBackend backend) {
        assertEquals(0, backend.openFrozen(), "frozen states left open");
        assertEquals(0, backend.openStores(), "stores left open");
        assertEquals(0, backend.faults(), "uses against the rules");
    }

    private Weir.Context context(final StateBackend backend) {
        return new Weir.Context()
                .workers(2)
                .stateBackend(backend)
                .restartStrategy(RestartStrategy.fixedDelay(1_000, Duration.ZERO))
                .checkpoints(Checkpoints.every(Duration.ofMillis(2))
                        .in(storage)
                        .tolerableFailures(1_000_000)
                        .maxConcurrent(2)
                        .retained(2));
    }

    private Pipeline pipeline() {
        final Pipeline pipeline = Pipeline.named("count").parallelism(2);
        pipeline.read(input, Codecs.longs())
                .keyByLong(value -> value % KEYS)
                .process(new Count())
                .codec(Codecs.strings())
                .keyBy(text -> text)
                .process((String text, KeyedProcessContext<String> context, Collector<String> out) -> {
                    if (CALLS_UNTIL_FAILURE.getAndDecrement() == 0) {
                        throw new IllegalStateException("planned failure");
                    }
                    out.collect(text);
                })
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private void add(final int count) {
        for (int i = 0; i < count; i++, values++) {
            final ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            input.add((int) (values & 1), value.putLong(values).array());
        }
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

    private String difference() {
        final Map<String, Integer> missing = expected();
        final Map<String, Integer> more = counted();
        expected().forEach(more::remove);
        counted().keySet().forEach(missing::remove);
        return ": missing " + missing + ", more than expected " + more;
    }

    private static void await(final BooleanSupplier condition, final Supplier<String> what, final Job job) {
        final long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadlineNs, () -> "not in time: " + what.get() + ", " + job.status());
            assertFalse(job.status().state() == JobState.FAILED, () -> "failed: " + job.status());
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static final class Count implements KeyedProcessFunction<Long, Long, String> {
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
}
