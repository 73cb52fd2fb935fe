package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.barrier.BarrierMetrics;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.EpochNanoClock;
import org.junit.jupiter.api.Test;

/** What a checkpoint tells of the time that it took, by a clock that moves whenever somebody looks. */
final class CaptureTimeTest {
    private static final int RECORDS = 2_000;

    private final Map<Integer, BarrierMetrics> metrics = new HashMap<>();
    private final ArrayDeque<Runnable> io = new ArrayDeque<>();
    private final MemoryLog input = MemoryLog.unbounded(1);
    private long nowNs;
    private final EpochNanoClock clock = () -> ++nowNs;

    @Test
    void shouldTellHowLongTheCaptureTookThoughItBeganAndEndedInOneDutyCycle() throws Exception {
        // given: a full channel
        for (int i = 0; i < RECORDS; i++) {
            input.add(0, new byte[Long.BYTES]);
        }
        final PhysicalPlan plan =
                Planner.plan(DeployedTasks.pipeline(input, MemoryLog.unbounded(1), value -> value, 1));
        final BarrierSettings barriers = BarrierSettings.unaligned(0);
        final PagesStateBackend backend = new PagesStateBackend();
        try (CheckpointStore store = new MemoryCheckpointStorage().open("small");
                MemoryTransport transport = MemoryTransport.launch(
                        new MemoryContext().dataCapacity(4096).maxBatchLength(256))) {
            final List<Task> tasks = Deployment.open(
                            plan,
                            new TaskSettings("small", 1, 128, barriers, store, io::add, new Listener(), clock),
                            transport,
                            backend,
                            RestorePlan.newest(store, plan, backend),
                            nowNs)
                    .tasks();
            while (!tasks.get(0).isBlocked()) {
                assertTrue(tasks.get(0).doWork(clock.nanoTime()) > 0, "the source is not blocked");
            }

            // when
            tasks.get(0).trigger(1, clock.nanoTime(), barriers.checkpointOptions());
            tasks.get(0).doWork(clock.nanoTime());
            tasks.get(1).doWork(clock.nanoTime());
            runIo();

            // then
            final BarrierMetrics receiver = metrics.get(1);
            assertEquals(2, metrics.size(), "both have acknowledged");
            assertTrue(receiver.unaligned() && receiver.bytesPersisted() > 0, receiver::toString);
            assertTrue(receiver.channelStateTimeNs() > 0, receiver::toString);
            tasks.forEach(Task::close);
            runIo();
        }
    }

    private void runIo() {
        for (Runnable work; (work = io.poll()) != null; ) {
            work.run();
        }
    }

    private final class Listener extends ToldByTasks {
        @Override
        public void acknowledged(
                final TaskId task,
                final int attempt,
                final long checkpointId,
                final TaskPart part,
                final CheckpointMetrics costs) {
            metrics.put(task.index(), costs.barriers());
        }
    }
}
