package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many records a task takes before it looks at its control lane again, by a clock that its operator moves. */
final class TaskStepsTest {
    private static final int RECORDS = 5_000;
    private static final int MOST = 256;
    private static final int LONGEST_STEP = 64;

    /** Functions are copied for their tasks, so that what they share is static. */
    private static long nowNs;

    private static long workNs;
    private static int calls;

    private final CheckpointStore store = new MemoryCheckpointStorage().open("small");
    private final MemoryTransport transport = MemoryTransport.launch(new MemoryContext());
    private final ArrayDeque<Runnable> io = new ArrayDeque<>();
    private List<Task> tasks;

    @BeforeEach
    void deploy() {
        nowNs = 0;
        workNs = 0;
        calls = 0;
        final MemoryLog input = MemoryLog.unbounded(1);
        for (int i = 0; i < RECORDS; i++) {
            input.add(0, new byte[Long.BYTES]);
        }
        final PhysicalPlan plan =
                Planner.plan(DeployedTasks.pipeline(input, MemoryLog.unbounded(1), value -> work(value), 1));
        final PagesStateBackend backend = new PagesStateBackend();
        tasks = Deployment.open(
                        plan,
                        new TaskSettings(
                                "small",
                                1,
                                128,
                                BarrierSettings.aligned(),
                                store,
                                io::add,
                                new ToldByTasks(),
                                () -> nowNs),
                        transport,
                        backend,
                        RestorePlan.newest(store, plan, backend),
                        nowNs)
                .tasks();
    }

    @AfterEach
    void close() {
        tasks.forEach(Task::close);
        for (Runnable work; (work = io.poll()) != null; ) {
            work.run();
        }
        transport.close();
        store.close();
    }

    @Test
    void shouldBeginWithOneRecordForTheOperatorMayBeSlow() throws Exception {
        workNs = 1_000_000;

        assertEquals(1, callsOfACycle());
        assertEquals(1, callsOfACycle());
    }

    @Test
    void shouldTakeManyRecordsAtOnceOfAFastOperator() throws Exception {
        assertEquals(MOST, callsOfACycle());
        assertEquals(MOST, callsOfACycle());
    }

    @Test
    void shouldTakeAsManyAsThereIsTimeFor() throws Exception {
        workNs = 20_000;

        callsOfACycle();

        assertEquals(10, callsOfACycle());
        assertEquals(10, callsOfACycle());
    }

    @Test
    void shouldNoticeWithinAStepThatAnOperatorHasBecomeSlow() throws Exception {
        callsOfACycle();
        workNs = 1_000_000;

        final int first = callsOfACycle();

        assertTrue(first <= LONGEST_STEP, () -> first + " records");
        assertEquals(1, callsOfACycle());
        workNs = 0;
        assertEquals(MOST, callsOfACycle());
    }

    private int callsOfACycle() throws Exception {
        final int before = calls;
        tasks.get(0).doWork(nowNs);
        return calls - before;
    }

    private static long work(final long value) {
        nowNs += workNs;
        calls++;
        return value;
    }
}
