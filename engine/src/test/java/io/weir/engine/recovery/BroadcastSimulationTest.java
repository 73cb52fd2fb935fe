package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.BroadcastJob;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskListener;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A job with broadcast state over memory, on one thread: a seed says which task runs, when a checkpoint begins and when a record
 * arrives or the job dies, to go on from the newest checkpoint.
 */
final class BroadcastSimulationTest {
    private static final int SEEDS = 12;
    /** So many that every subtask has one: a source without any would finish. */
    private static final int PARTITIONS = 12;

    private static final int STEPS = 4_000;

    @Test
    void shouldKeepStateExactlyOnceOverFailures() throws Exception {
        int restored = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            final int parallelism = 1 + seed % 3;
            final MemoryLog data = MemoryLog.unbounded(PARTITIONS);
            final MemoryLog rules = MemoryLog.unbounded(PARTITIONS);
            final MemoryLog output = MemoryLog.unbounded(1);
            final PhysicalPlan plan =
                    Planner.plan(BroadcastJob.pipeline(data, rules, output, parallelism, () -> false));
            try (CheckpointStore store = new MemoryCheckpointStorage().open(plan.jobName());
                    Simulation simulation = new Simulation(plan, store, new Random(seed))) {
                final Random random = new Random(seed);
                for (int step = 0; step < STEPS; step++) {
                    final int choice = random.nextInt(200);
                    if (choice < 10) {
                        add(data, random.nextInt(PARTITIONS), random.nextInt(100));
                    } else if (choice < 12) {
                        add(rules, random.nextInt(PARTITIONS), random.nextInt(100));
                    } else if (choice == 12) {
                        simulation.fail();
                    } else if (choice < 15) {
                        simulation.trigger();
                    } else {
                        simulation.step();
                    }
                }
                simulation.settle();
                restored += simulation.restored;
            }
            try {
                BroadcastJob.check(data, rules, output, parallelism);
            } catch (final AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertTrue(restored >= SEEDS, "only " + restored + " restores");
    }

    private static void add(final MemoryLog log, final int partition, final long value) {
        log.add(
                partition,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }

    private static final class Simulation implements TaskListener, AutoCloseable {
        private static final int CYCLES = 200;

        private final PhysicalPlan plan;
        private final CheckpointStore store;
        private final Random random;
        private final ArrayDeque<Runnable> io = new ArrayDeque<>();
        private final List<TaskPart> parts = new ArrayList<>();
        private MemoryTransport transport;
        private Deployment deployment;
        private int attempt;
        private long checkpointId;
        private int restored;
        private long nowNs;
        private AssertionError unexpected;

        Simulation(final PhysicalPlan plan, final CheckpointStore store, final Random random) {
            this.plan = plan;
            this.store = store;
            this.random = random;
            deploy();
        }

        private void deploy() {
            transport = MemoryTransport.launch(new MemoryContext());
            final RestorePlan restore = RestorePlan.newest(store, plan, new PagesStateBackend());
            restored += restore.checkpointId() > 0 ? 1 : 0;
            deployment = Deployment.open(
                    plan,
                    new TaskSettings(
                            plan.jobName(),
                            ++attempt,
                            plan.maxParallelism(),
                            BarrierSettings.aligned(),
                            store,
                            io::add,
                            this,
                            () -> nowNs),
                    transport,
                    new PagesStateBackend(),
                    restore,
                    nowNs);
        }

        void step() throws Exception {
            final List<Task> tasks = deployment.tasks();
            tasks.get(random.nextInt(tasks.size())).doWork(++nowNs);
            if (random.nextInt(4) == 0) {
                runIo();
            }
        }

        void trigger() {
            parts.clear();
            checkpointId++;
            for (final Task task : deployment.tasks()) {
                if (plan.vertices().stream()
                        .anyMatch(vertex -> vertex.source() != null
                                && vertex.uid().equals(task.id().vertexUid()))) {
                    task.trigger(checkpointId, nowNs, 0);
                }
            }
        }

        void fail() {
            close();
            parts.clear();
            deploy();
        }

        /** Until all that was read is committed. */
        void settle() throws Exception {
            run();
            trigger();
            run();
            run();
            if (unexpected != null) {
                throw unexpected;
            }
        }

        private void run() throws Exception {
            for (int i = 0; i < CYCLES; i++) {
                for (final Task task : deployment.tasks()) {
                    task.doWork(++nowNs);
                }
                runIo();
            }
        }

        private void runIo() {
            for (Runnable work; (work = io.poll()) != null; ) {
                work.run();
            }
        }

        @Override
        public void acknowledged(
                final TaskId task,
                final int ofAttempt,
                final long id,
                final TaskPart part,
                final CheckpointMetrics metrics) {
            if (ofAttempt != attempt || id != checkpointId) {
                return;
            }
            parts.add(part);
            if (parts.size() == deployment.tasks().size()) {
                store.publish(new Manifest(
                        plan.jobName(),
                        id,
                        attempt,
                        0,
                        plan.maxParallelism(),
                        PagesStateBackend.NAME,
                        parts.stream()
                                .sorted(Comparator.comparing(TaskPart::vertexUid)
                                        .thenComparing(TaskPart::subtask))
                                .toList()));
                deployment.tasks().forEach(each -> each.checkpointComplete(id));
            }
        }

        @Override
        public void declined(final TaskId task, final int ofAttempt, final long id, final Decline decline) {
            if (decline.reason() == Decline.Reason.SNAPSHOT_FAILED) {
                unexpected = new AssertionError(task + " declined " + id, decline.cause());
            }
        }

        @Override
        public void awaitsFinalCheckpoint(final TaskId task, final int ofAttempt) {
            unexpected = new AssertionError(task + " ended");
        }

        @Override
        public void caughtUp(final TaskId task, final int ofAttempt) {
            // Every source does, and says so once.
        }

        @Override
        public void finished(final TaskId task, final int ofAttempt) {
            unexpected = new AssertionError(task + " finished");
        }

        @Override
        public void givenUp(final TaskId task, final int ofAttempt, final Throwable cause) {
            throw new AssertionError(task + " given up", cause);
        }

        @Override
        public void failed(final TaskId task, final int ofAttempt, final Throwable cause) {
            unexpected = new AssertionError(task + " failed", cause);
        }

        @Override
        public void skipped(final TaskId task, final String reason) {
            unexpected = new AssertionError(task + " skipped " + reason);
        }

        @Override
        public void settled(final TaskId task, final int ofAttempt) {
            // Nobody asks for it.
        }

        @Override
        public void closed(final TaskId task, final int ofAttempt) {
            // Nobody waits for it.
        }

        @Override
        public void close() {
            deployment.tasks().forEach(Task::close);
            runIo();
            transport.close();
        }
    }
}
