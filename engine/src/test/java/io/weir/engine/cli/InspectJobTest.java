package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.Job;
import io.weir.engine.Weir;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.ListState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.Pipeline;
import io.weir.engine.status.JobState;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.MemoryLog;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code weir inspect} says of state that belongs to subtasks, as a job has written it. */
final class InspectJobTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final BroadcastStateDescriptor<String, Long> RULES =
            BroadcastStateDescriptor.of("rules", Codecs.strings(), Codecs.longs());

    @TempDir
    private Path folder;

    record Entry(long number) {}

    /** Keeps a list of each kind and broadcast state. */
    private static final class Keeping
            implements KeyedBroadcastProcessFunction<Long, Long, Long, Long>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private transient ListState<String> split;
        private transient ListState<Entry> union;

        @Override
        public void initialize(final OperatorStates states) {
            split = states.list("texts", Codecs.strings());
            union = states.unionList("entries", Codec.ofRecord(Entry.class).version(3));
        }

        @Override
        public void snapshot(final long checkpointId) {}

        @Override
        public void processElement(final Long value, final ReadOnlyContext<Long> context, final Collector<Long> out)
                throws Exception {
            split.add("a");
            split.add("b");
            union.add(new Entry(value));
            out.collect(value);
        }

        @Override
        public void processBroadcastElement(final Long rule, final Context<Long> context, final Collector<Long> out)
                throws Exception {
            context.broadcastState(RULES).put("rule " + rule, rule);
            out.collect(rule);
        }
    }

    @Test
    void shouldShowCodecsAndVersionsOfListsAndBroadcastState() {
        final MemoryLog data = MemoryLog.unbounded(1);
        final MemoryLog rules = MemoryLog.unbounded(1);
        final MemoryLog output = MemoryLog.unbounded(1);
        final Pipeline pipeline = Pipeline.named("keeping").parallelism(1);
        pipeline.read(data, Codecs.longs())
                .keyByLong(value -> value)
                .connect(pipeline.read(rules, Codecs.longs()).broadcast(RULES))
                .process(new Keeping())
                .uid("keep")
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        final Checkpoints checkpoints =
                Checkpoints.every(Duration.ofMillis(3)).in(new FileCheckpointStorage(new DiskFileStore(), folder));
        try (Weir weir = Weir.launch(new Weir.Context().workers(1).checkpoints(checkpoints))) {
            final Job job = weir.run(pipeline);
            data.add(0, number(1));
            for (int rule = 0; rule < 3; rule++) {
                rules.add(0, number(rule));
            }
            final long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
            while (output.records(0).size() < 4 && System.nanoTime() < deadlineNs) {
                LockSupport.parkNanos(1_000_000);
            }
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
        }

        final String shown = Cli.run("inspect", folder).succeeded().out();

        final Map<String, String> expected = Map.of(
                "keep/texts", "split +2 +- +- +1 +string",
                "keep/entries", "union +1 +- +- +3 +Entry@3\\(number:long\\)",
                "keep/rules", "broadcast +3 +1 +string +1 +long");
        final List<String> lists =
                shown.lines().filter(line -> line.startsWith("list ")).toList();
        final TreeSet<String> found = new TreeSet<>();
        for (final String line : lists) {
            expected.forEach((name, rest) -> {
                if (line.matches("list +\\S+ +" + name + " +" + rest)) {
                    found.add(name);
                }
            });
        }
        assertEquals(new TreeSet<>(expected.keySet()), found, shown);
        assertEquals(3, lists.size(), shown);
        assertTrue(shown.lines().anyMatch(line -> line.matches("operator +keep +keep +1")), shown);
        assertTrue(shown.lines().anyMatch(line -> line.matches("task +keep/0 .* none")), shown);
        assertTrue(shown.lines().noneMatch(line -> line.matches("section .* task/watermark.*")), shown);
    }

    private static byte[] number(final long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
