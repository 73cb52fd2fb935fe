package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.task.Task;
import io.weir.engine.task.TaskState;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SnapshotException;
import java.util.Comparator;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What single tasks of a job do around checkpoints, step by step on one thread. */
final class DeployedTasksTest {
    private final CheckpointStore store = new MemoryCheckpointStorage().open("small");
    private final MemoryLog input = MemoryLog.unbounded(2);
    private DeployedTasks job = new DeployedTasks(input, store, value -> value);

    @AfterEach
    void close() {
        job.close();
        store.close();
    }

    @Test
    void shouldAcknowledgeOnlyWhatIsWritten() throws Exception {
        // given
        job.task(0).trigger(1, 100, 0);

        // when
        job.run();

        // then: the cut is taken, its bytes are on no disk
        assertEquals(List.of(), job.take());
        job.runIo();
        assertEquals(List.of("0 acknowledged 1"), job.take());
    }

    @Test
    void shouldCutOnceTheBarriersOfAllInputsHaveCome() throws Exception {
        // given: one of two barriers
        job.task(0).trigger(1, 100, 0);
        job.run();
        job.runIo();
        assertEquals(List.of("0 acknowledged 1"), job.take());

        // when
        job.task(1).trigger(1, 100, 0);
        job.run();
        job.runIo();

        // then
        assertEquals(List.of("1 acknowledged 1", "2 acknowledged 1", "3 acknowledged 1"), job.take());
    }

    @Test
    void shouldHoldBackWhatComesBehindABarrierUntilTheCut() throws Exception {
        // given: a record behind the barrier of one input
        job.task(0).trigger(1, 100, 0);
        job.run();
        job.add(0, 7);
        job.run();
        job.task(1).trigger(1, 100, 0);
        job.run();
        job.runIo();

        // when: the checkpoint is restored into new tasks, which read on
        publish(1);
        restart();
        job.run();
        triggerAll(2);
        job.tasks().forEach(task -> task.checkpointComplete(2));
        job.run();
        job.runIo();
        job.run();

        // then: the record is counted once, behind the cut
        assertEquals(1, job.outputCount());
    }

    @Test
    void shouldNotAcknowledgeWhatWasAbortedBeforeItWasWritten() throws Exception {
        // given
        job.task(0).trigger(1, 100, 0);
        job.run();

        // when
        job.task(0).checkpointAborted(1);
        job.run();
        job.runIo();

        // then
        assertEquals(List.of(), job.take());
        job.task(0).trigger(2, 200, 0);
        job.run();
        job.runIo();
        assertEquals(List.of("0 acknowledged 2"), job.take());
    }

    @Test
    void shouldDeclineTheOlderCheckpointWhenANewerOneComesFirst() throws Exception {
        // given: the barrier of the second source is missing
        job.task(0).trigger(1, 100, 0);
        job.run();
        job.runIo();
        job.take();

        // when
        triggerAll(2);

        // then
        final List<String> told = job.take();
        assertTrue(told.contains("2 declined 1 SUBSUMED"), told::toString);
        assertTrue(told.contains("3 declined 1 SUBSUMED"), told::toString);
        assertTrue(told.contains("2 acknowledged 2"), told::toString);
        assertTrue(told.contains("3 acknowledged 2"), told::toString);
    }

    @Test
    void shouldDeclineAlsoWhenWhatWasWrittenCantBeTakenAway() throws Exception {
        // given: a segment that can neither be written nor deleted
        try (WatchedStore full = new WatchedStore("small").segments(UndeletableSegment::new);
                DeployedTasks tasks = new DeployedTasks(MemoryLog.unbounded(2), full, value -> value)) {
            tasks.task(0).trigger(1, 100, 0);

            // when
            tasks.run();
            tasks.runIo();

            // then
            assertEquals(List.of("0 declined 1 SNAPSHOT_FAILED"), tasks.take());
            assertEquals("no room", tasks.lastCause().getMessage());
            assertEquals("not deleted", tasks.lastCause().getSuppressed()[0].getMessage());
        }
    }

    @Test
    void shouldDeclineWithTheCauseWhenTheStoreIsGone() throws Exception {
        // given
        store.close();
        job.task(0).trigger(1, 100, 0);

        // when
        job.run();
        job.runIo();

        // then: the task goes on
        assertEquals(List.of("0 declined 1 SNAPSHOT_FAILED"), job.take());
        assertTrue(job.lastCause() != null);
        job.run();
        assertEquals(TaskState.RUNNING, job.task(0).state());
    }

    @Test
    void shouldSettleBehindTheWorkThatCameBefore() throws Exception {
        // given
        job.task(0).trigger(1, 100, 0);
        job.task(0).settle();

        // when
        job.run();

        // then
        assertEquals(List.of(), job.take());
        job.runIo();
        assertEquals(List.of("0 acknowledged 1"), job.take());

        // then: it is the task that tells, after it has heard of what failed
        job.run();
        assertEquals(List.of("0 settled"), job.take());
    }

    @Test
    void shouldWriteNothingOnceClosed() throws Exception {
        // given
        job.task(0).trigger(1, 100, 0);
        job.run();

        // when
        job.task(0).close();
        job.runIo();

        // then
        assertEquals(List.of(), job.take());
        assertTrue(job.task(0).isQuiet());
        assertEquals(TaskState.CLOSED, job.task(0).state());
    }

    @Test
    void shouldFinishSourcesAtOnceAndWritersBehindAFinalCheckpoint() throws Exception {
        // given: an input that ends
        job.close();
        job = new DeployedTasks(MemoryLog.bounded(2), store, value -> value);

        // when
        job.run();
        job.runIo();

        // then
        assertEquals(
                List.of("0 finished", "1 finished", "2 awaits final checkpoint", "3 awaits final checkpoint"),
                job.take().stream().sorted().toList());

        // when: a checkpoint completes
        job.tasks().forEach(task -> task.trigger(1, 100, 0));
        job.run();
        job.runIo();
        job.tasks().forEach(task -> task.checkpointComplete(1));
        job.run();
        job.runIo();
        job.run();
        job.runIo();

        // then
        final List<String> told = job.take();
        assertEquals(
                4, told.stream().filter(line -> line.endsWith("acknowledged 1")).count(), told::toString);
        assertTrue(told.containsAll(List.of("2 finished", "3 finished")), told::toString);
        assertSame(TaskState.FINISHED, job.task(2).state());
    }

    /** FC-146. */
    @Test
    void shouldTellInItsPartWhetherATaskHadFinished() throws Exception {
        // given
        job.close();
        job = new DeployedTasks(MemoryLog.bounded(2), store, value -> value);

        // when: one checkpoint ahead of the end of data, and one behind it
        triggerAll(1);
        final List<Boolean> ahead =
                job.parts().stream().map(Manifest.TaskPart::finished).toList();
        job.parts().clear();
        job.tasks().forEach(task -> task.trigger(2, 100, 0));
        job.run();
        job.runIo();

        // then: those that wait for their last commit have something left to do
        assertEquals(List.of(false, false, false, false), ahead);
        assertEquals(
                List.of("count false", "count false", "in true", "in true"),
                job.parts().stream()
                        .map(part -> part.vertexUid() + " " + part.finished())
                        .sorted()
                        .toList());
    }

    private void triggerAll(final long checkpointId) throws Exception {
        job.task(0).trigger(checkpointId, 100, 0);
        job.task(1).trigger(checkpointId, 100, 0);
        job.run();
        job.runIo();
    }

    private void publish(final long checkpointId) {
        store.publish(new Manifest(
                "small",
                checkpointId,
                1,
                0,
                128,
                PagesStateBackend.NAME,
                job.parts().stream()
                        .sorted(Comparator.comparing(Manifest.TaskPart::vertexUid)
                                .thenComparing(Manifest.TaskPart::subtask))
                        .toList()));
    }

    private void restart() {
        job.tasks().forEach(Task::close);
        job.close();
        job = new DeployedTasks(input, store, value -> value);
    }

    /** Has no room, and stays when it is abandoned. */
    private record UndeletableSegment(SegmentWriter segment) implements SegmentWriter {
        @Override
        public void beginSection(final String name, final String attributes) {
            throw new SnapshotException("no room");
        }

        @Override
        public void entry(final int keyGroup, final DirectBuffer buffer, final int offset, final int length) {
            segment.entry(keyGroup, buffer, offset, length);
        }

        @Override
        public SegmentHandle finish() {
            return segment.finish();
        }

        @Override
        public void close() {
            segment.close();
            throw new SnapshotException("not deleted");
        }
    }
}
