package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.api.Aggregates;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.Stream;
import io.weir.engine.api.Tumbling;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.state.HeapStateBackend;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A task of which one input has ended and the other is idle: it neither ends event time nor holds it back. */
final class IdleInputTest {
    private static final int CYCLES = 10;

    private final MemoryLog ending = MemoryLog.bounded(1);
    private final MemoryLog silent = MemoryLog.unbounded(1);
    private final MemoryLog going = MemoryLog.unbounded(1);
    private final List<Long> counts = new ArrayList<>();
    private long nowNs;

    @Test
    void shouldLeaveEventTimeToTheOthersWhenWhatIsNotIdleHasEnded() throws Exception {
        final PhysicalPlan plan = Planner.plan(pipeline());
        try (CheckpointStore store = new MemoryCheckpointStorage().open(plan.jobName());
                MemoryTransport transport = MemoryTransport.launch(new MemoryContext())) {
            add(ending, 1);
            final List<Task> tasks = Deployment.open(
                            plan,
                            new TaskSettings(
                                    plan.jobName(),
                                    1,
                                    plan.maxParallelism(),
                                    BarrierSettings.aligned(),
                                    store,
                                    Runnable::run,
                                    new JobEvents(),
                                    () -> nowNs),
                            transport,
                            new HeapStateBackend(),
                            RestorePlan.newest(store, plan, new HeapStateBackend()),
                            nowNs)
                    .tasks();

            // given: one input idle, and then the other ended
            run(tasks.subList(1, tasks.size()));
            run(tasks);

            // when: a stream beside them goes on
            add(going, 5);
            add(going, 100);
            run(tasks);

            // then
            assertEquals(List.of(2L), counts);
            tasks.forEach(Task::close);
        }
    }

    private Pipeline pipeline() {
        final Pipeline pipeline = Pipeline.named("idle");
        final Stream<Long> merged = timed(pipeline, ending, "ending", Duration.ZERO)
                .union(timed(pipeline, silent, "silent", Duration.ofNanos(1)))
                .map(value -> value)
                .codec(Codecs.longs())
                .uid("merged");
        merged.union(timed(pipeline, going, "going", Duration.ZERO))
                .keyByLong(value -> 0)
                .window(Tumbling.of(Duration.ofMillis(10)))
                .aggregate(Aggregates.count(), (key, window, count) -> {
                    counts.add(count);
                    return count;
                })
                .codec(Codecs.longs())
                .uid("window")
                .write(MemoryLog.unbounded(1), Codecs.longs(), Delivery.EXACTLY_ONCE)
                .uid("out");
        return pipeline;
    }

    private static Stream<Long> timed(
            final Pipeline pipeline, final MemoryLog log, final String uid, final Duration idleness) {
        return pipeline.read(log, Codecs.longs())
                .uid(uid)
                .eventTime(value -> value, TimeUnit.MILLISECONDS, Duration.ZERO, idleness)
                .uid(uid + "-time")
                .codec(Codecs.longs());
    }

    private void run(final List<Task> tasks) throws Exception {
        for (int i = 0; i < CYCLES; i++) {
            for (final Task task : tasks) {
                task.doWork(++nowNs);
            }
        }
    }

    private static void add(final MemoryLog log, final long value) {
        log.add(
                0,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }
}
