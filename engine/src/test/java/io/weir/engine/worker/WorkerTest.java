package io.weir.engine.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.engine.recovery.DeployedTasks;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskState;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker's duty cycle, run by hand. */
final class WorkerTest {
    private static final long FAILS = 13;
    private static final long DIES = 14;

    private final CheckpointStore store = new MemoryCheckpointStorage().open("small");
    private final DeployedTasks job = new DeployedTasks(MemoryLog.unbounded(2), store, WorkerTest::check);
    private final Worker worker = new Worker("by-hand", MemoryTransport.launch(new MemoryContext()), () -> 1);

    @BeforeEach
    void addAll() {
        job.tasks().forEach(task -> worker.add(task, 1, job.listener()));
    }

    @AfterEach
    void close() {
        job.close();
        store.close();
    }

    @Test
    void shouldReportAFailedTaskOnceAndRunTheOthers() {
        // given
        job.add(0, FAILS);
        job.add(0, 1);
        job.add(1, 2);

        // when
        run();

        // then
        assertEquals(List.of("0 failed"), job.take());
        assertEquals("planned", job.lastCause().getMessage());
        assertEquals(0, passed(0));
        assertEquals(1, passed(1));
    }

    @Test
    void shouldReportAnErrorOnceAndRunTheOthers() {
        // given
        job.add(0, DIES);
        job.add(1, 2);

        // when
        run();

        // then
        assertEquals(List.of("0 failed"), job.take());
        assertSame(AssertionError.class, job.lastCause().getClass());
        assertEquals(1, passed(1));
    }

    @Test
    void shouldCloseARemovedTaskThenTellAndLetTheOthersRun() {
        // given
        run();

        // when: a reader goes, which its senders don't notice until they send
        worker.remove(job.task(3));
        run();

        // then
        assertEquals(List.of("3 closed"), job.take());
        assertSame(TaskState.CLOSED, job.task(3).state());
        assertSame(TaskState.RUNNING, job.task(0).state());
    }

    @Test
    void shouldCloseAFailedTaskToo() {
        // given
        job.add(0, FAILS);
        run();
        job.take();

        // when
        worker.remove(job.task(0));
        run();

        // then: its readers fail, since their sender went without an end
        assertEquals(List.of("0 closed", "2 failed", "3 failed"), job.take());
    }

    @Test
    void shouldCloseAllTasksAtItsEndAlsoThoseThatItNeverRan() {
        // when
        worker.onClose();

        // then
        assertEquals(List.of("0 closed", "1 closed", "2 closed", "3 closed"), job.take());
        for (final Task task : job.tasks()) {
            assertSame(TaskState.CLOSED, task.state());
        }
    }

    @Test
    void shouldHaveNothingToDoWhenItsTasksHaveNot() {
        // given
        run();

        // then
        assertEquals(0, worker.doWork());
    }

    private void run() {
        for (int i = 0; i < 10; i++) {
            worker.doWork();
        }
    }

    private long passed(final int task) {
        final Map<String, Long> counters = new HashMap<>();
        job.task(task).counters().addTo(counters);
        return counters.get("in/records");
    }

    private static Long check(final Long value) {
        if (value == FAILS) {
            throw new IllegalStateException("planned");
        }
        if (value == DIES) {
            throw new AssertionError("planned");
        }
        return value;
    }
}
