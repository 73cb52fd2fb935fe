package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.graph.Planner;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.OperatorContext;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Timers that are due at once and block the outputs one by one, while the end of all data is already there (FC-167, FLINK-39481, FLINK-14239). */
final class DeferredTimersTest {
    private static final long TIMER_MS = 1_000;
    private static final int RECORDS_OF_TIMER = 300;

    private final List<String> received = new ArrayList<>();

    @Test
    void shouldFireAllTimersThenSendTheirWatermarkThenTheEnd() throws Exception {
        // given: two keys with a timer each, the time of both, and the end of the input, which the source meets in a
        // cycle of its
        // own, for its steps are of one record, two and four
        final MemoryLog input = MemoryLog.bounded(1);
        for (final long time : new long[] {10, 11, TIMER_MS, TIMER_MS + 1}) {
            input.add(
                    0,
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(time)
                            .array());
        }
        final CheckpointStore store = new MemoryCheckpointStorage().open("timers");
        final MemoryTransport transport =
                MemoryTransport.launch(new MemoryContext().dataCapacity(4096).maxBatchLength(256));
        final PhysicalPlan plan = plan(input);
        final ToldByTasks told = new ToldByTasks();
        final List<Runnable> io = new ArrayList<>();
        final Deployment deployment = Deployment.open(
                plan,
                new TaskSettings("timers", 1, 128, BarrierSettings.aligned(), store, io::add, told, () -> 0),
                transport,
                new PagesStateBackend(),
                RestorePlan.newest(store, plan, new PagesStateBackend()),
                0);

        // when: the outputs block again and again in the middle
        int blocked = 0;
        for (int i = 0; i < 200; i++) {
            for (final Task task : deployment.tasks()) {
                task.doWork(0);
                blocked += task.isBlocked() ? 1 : 0;
            }
        }

        // then
        assertTrue(blocked > 3, "the outputs were blocked " + blocked + " times only");
        final List<String> expected = new ArrayList<>();
        for (final long key : new long[] {10, 11}) {
            for (int i = 0; i < RECORDS_OF_TIMER; i++) {
                expected.add("record " + key);
            }
        }
        expected.add("watermark " + TimeUnit.MILLISECONDS.toNanos(TIMER_MS + 1) + " - 1");
        expected.add("watermark of the end");
        assertEquals(
                expected,
                received.stream().filter(line -> !line.equals("too early")).toList());
        assertEquals("FINISHED", deployment.tasks().get(2).state().name());
        deployment.tasks().forEach(Task::close);
        io.forEach(Runnable::run);
        transport.close();
        store.close();
    }

    /** The last vertex only writes down what it gets. */
    private PhysicalPlan plan(final MemoryLog input) {
        final Pipeline pipeline = Pipeline.named("timers");
        pipeline.read(input, Codecs.longs())
                .eventTime((Long value) -> value, Duration.ZERO)
                .keyByLong(value -> value)
                .process(new Timers())
                .codec(Codecs.longs())
                .keyByLong(value -> value)
                .process((Long value, KeyedProcessContext<Long> context, Collector<Long> out) -> out.collect(value))
                .codec(Codecs.longs())
                .write(MemoryLog.unbounded(1), Codecs.longs(), Delivery.EXACTLY_ONCE);
        final PhysicalPlan plan = Planner.plan(pipeline);
        final List<Vertex> vertices = new ArrayList<>(plan.vertices());
        final Vertex last = vertices.get(2);
        final ChainNode node = new ChainNode("last", "last", Received::new, List.of());
        vertices.set(2, new Vertex(2, last.uid(), last.name(), 1, null, List.of(new Chained(null, node))));
        return new PhysicalPlan(plan.jobName(), plan.maxParallelism(), vertices, plan.edges());
    }

    /** Sets a timer for every record, and emits many records when it fires. */
    private static final class Timers implements KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<Long> out) {
            if (value < TIMER_MS) {
                context.setEventTimer(TimeUnit.MILLISECONDS.toNanos(TIMER_MS));
            }
        }

        @Override
        public void onTimer(
                final long timeNs,
                final TimeDomain domain,
                final KeyedProcessContext<Long> context,
                final Collector<Long> out)
                throws Exception {
            for (int i = 0; i < RECORDS_OF_TIMER; i++) {
                out.collect(context.key());
            }
        }
    }

    private final class Received implements Operator<Long> {
        @Override
        public void open(final OperatorContext context) {}

        @Override
        public void receive(final Long value, final long timestampNs, final long sourceWatermarkNs) {
            received.add("record " + value);
        }

        @Override
        public void watermark(final long watermarkNs) {
            if (watermarkNs == Long.MAX_VALUE) {
                received.add("watermark of the end");
            } else if (watermarkNs >= TimeUnit.MILLISECONDS.toNanos(TIMER_MS)) {
                received.add("watermark " + (watermarkNs + 1) + " - 1");
            } else {
                received.add("too early");
            }
        }

        @Override
        public void idle() {
            received.add("idle");
        }
    }
}
