package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.ValueState;
import io.weir.engine.status.JobState;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job whose state grows, with a real file system of 6 MiB below its checkpoints, or below the pages themselves. */
final class SmallDiskJobTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int BATCH = 4_000;
    private static final String PADDING = "x".repeat(400);

    @TempDir
    private Path temp;

    private Path mount;
    private boolean isMounted;
    private final MemoryLog input = MemoryLog.unbounded(1);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private long values;

    @BeforeEach
    void mount() throws Exception {
        mount = Files.createDirectory(temp.resolve("small"));
        isMounted = isDone("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", mount.toString());
        if (!isMounted) {
            System.out.println("SKIPPED: no small file system can be mounted here, so none can be filled");
        }
        Assumptions.assumeTrue(isMounted, "no small file system can be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        if (isMounted) {
            assertTrue(isDone("umount", "-l", mount.toString()), "umount " + mount);
        }
    }

    @Test
    void shouldGoOnWhileCheckpointsFailAndStoreTheNextOnceThereIsRoom() throws Exception {
        try (Weir weir = Weir.launch(context(new PagesStateBackend(), mount))) {
            final Job job = weir.run(pipeline());
            while (job.status().checkpoints().aborted() == 0) {
                add();
                await(() -> hasRead(job, values), job);
            }
            final String reason = job.status().checkpoints().lastAbortReason();
            assertTrue(reason.contains(mount + "/") && reason.contains("No space left"), reason);

            add();
            await(() -> hasRead(job, values), job);
            final long completed = job.status().checkpoints().completed();
            assertTrue(isDone("mount", "-o", "remount,size=400m", mount.toString()));
            await(() -> job.status().checkpoints().completed() > completed + 1, job);
            await(this::hasWrittenAll, job);
            assertEquals(0, job.status().restarts().size());
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        final long before = values;
        try (Weir weir = Weir.launch(context(new PagesStateBackend(), mount))) {
            final Job job = weir.run(pipeline());
            values = 0;
            add(BATCH);
            values = before + BATCH;
            await(this::hasWrittenAll, job);
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }
        final Set<String> seen = new TreeSet<>();
        output.records(0).forEach(record -> seen.add(new String(record, StandardCharsets.UTF_8)));
        assertEquals(values, seen.size(), "what was counted before the restart is counted on");
    }

    @Test
    void shouldSayThatTheScratchFileHasNoRoomAndGoOnOnceThereIs() throws Exception {
        final Path checkpoints = Files.createDirectory(temp.resolve("checkpoints"));
        final PagesStateBackend backend = new PagesStateBackend().scratchFolder(mount);
        try (Weir weir = Weir.launch(context(backend, checkpoints))) {
            final Job job = weir.run(pipeline());
            final JobFailedException e = assertThrows(JobFailedException.class, () -> {
                while (true) {
                    add();
                    await(() -> hasRead(job, values), job);
                }
            });
            assertTrue(e.getMessage().contains("scratch file " + mount + "/"), e::getMessage);
            assertTrue(e.getMessage().contains("No space left"), e::getMessage);
            try (var left = Files.list(mount)) {
                assertEquals(0, left.count(), "the file goes with the job");
            }

            assertTrue(isDone("mount", "-o", "remount,size=400m", mount.toString()));
            final Job again = weir.run(pipeline());
            await(this::hasWrittenAll, again);
            again.stop();
            assertEquals(JobState.STOPPED, again.join());
        }
    }

    private Weir.Context context(final PagesStateBackend backend, final Path checkpoints) {
        return new Weir.Context()
                .workers(1)
                .stateBackend(backend)
                .restartStrategy(RestartStrategy.none())
                .checkpoints(Checkpoints.every(Duration.ofMillis(5))
                        .in(checkpoints)
                        .tolerableFailures(1_000_000)
                        .retained(1));
    }

    private Pipeline pipeline() {
        final Pipeline pipeline = Pipeline.named("growing").parallelism(1);
        pipeline.read(input, Codecs.longs())
                .uid("in")
                .keyByLong(value -> value)
                .process(new Growing())
                .uid("grow")
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private void add() {
        add(BATCH);
    }

    private void add(final int count) {
        for (int i = 0; i < count; i++, values++) {
            final ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            input.add(0, value.putLong(values).array());
        }
    }

    private static boolean hasRead(final Job job, final long count) {
        return job.status().counters().getOrDefault("in/records", 0L) >= count;
    }

    private boolean hasWrittenAll() {
        return output.records(0).size() >= values;
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

    private static boolean isDone(final String... command) throws InterruptedException {
        try {
            final Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (final IOException noSuchCommand) {
            return false;
        }
    }

    /** Counts each key, in a state that is long. */
    private static final class Growing implements KeyedProcessFunction<Long, Long, String> {
        private static final long serialVersionUID = 1L;

        private transient ValueState<String> state;

        @Override
        public void open(final KeyedStates states) {
            state = states.valueState("count", Codecs.strings());
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<String> out)
                throws Exception {
            final String before = state.value();
            final int count = before == null ? 1 : 1 + Integer.parseInt(before.substring(0, before.indexOf(' ')));
            state.update(count + " " + PADDING);
            out.collect(context.longKey() + ":" + count);
        }
    }
}
