package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentReader.Section;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Barriers that overtake data in flight between real tasks, and that data's way back, step by step on one thread. */
final class ChannelStateTasksTest {
    private static final int KEYS = 2_000;
    private static final long TRIGGER_NS = 100;

    private final WatchedStore store = new WatchedStore("small");
    private final MemoryLog input = MemoryLog.unbounded(2);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private int restoredParallelism = 2;
    private DeployedTasks job;

    @AfterEach
    void close() {
        job.close();
        store.close();
    }

    /** FC-134: with the same parallelism each subtask gets its own. */
    @Test
    void shouldCutAtOnceThoughAllChannelsAreFullAndBringBackWhatWasInFlight() throws Exception {
        // given: channels and outboxes are full, nothing of it was read
        fillChannels(BarrierSettings.unaligned(0));

        // when: the receivers have one duty cycle each
        cut(1);

        // then: all have cut, with channel state of both kinds
        assertEquals(
                List.of("0 acknowledged 1", "1 acknowledged 1", "2 acknowledged 1", "3 acknowledged 1"),
                job.take().stream().sorted().toList());
        assertTrue(channelBytes("channel/input/") > 0, "no input channel state");
        assertTrue(channelBytes("channel/output/") > 0, "no output channel state");
        assertRestoresExactly(1);
    }

    /** FC-130, FC-135 (3 to 2), FC-136 (2 to 3). */
    @ParameterizedTest
    @CsvSource({"2, 1", "2, 3", "3, 2", "2, 5", "5, 2"})
    void shouldDealOutWhatWasInFlightByKeyWhenTheParallelismChanges(final int from, final int to) throws Exception {
        // given: channel state of both kinds, and state
        job = deploy(BarrierSettings.unaligned(0), from);
        addAllKeys();
        final int[] sources = IntStream.range(0, from).toArray();
        final int[] receivers = IntStream.range(from, 2 * from).toArray();
        work(50, sources);
        work(1, receivers);
        work(3, sources);
        for (final int source : sources) {
            job.task(source).trigger(1, TRIGGER_NS, job.barriers().checkpointOptions());
        }
        work(1, sources);
        work(1, receivers);
        job.runIo();
        assertEquals(
                2L * from,
                job.take().stream()
                        .filter(line -> line.endsWith("acknowledged 1"))
                        .count());
        assertTrue(channelBytes("channel/input/") > 0, "no input channel state");
        assertTrue(channelBytes("channel/output/") > 0, "no output channel state");

        // when
        restoredParallelism = to;

        // then
        assertRestoresExactly(1);
    }

    @Test
    void shouldCaptureABatchFromWhereItWasReadTo() throws Exception {
        // given: the receivers have read a part of what is in flight, and stopped within a batch
        fillChannels(BarrierSettings.unaligned(0));
        work(1, 2, 3);
        work(3, 0, 1);

        // when
        cut(1);

        // then
        assertEquals(4, job.take().size());
        assertRestoresExactly(1);
    }

    @Test
    void shouldTurnUnalignedPastTheTimeoutAtBothEndsOfAChannel() throws Exception {
        // given: aligned so far, with barriers behind data at both ends
        fillChannels(BarrierSettings.unaligned(1_000));
        trigger(1);
        workAt(TRIGGER_NS + 1, 0, 1, 2, 3);
        job.runIo();
        assertEquals(List.of(), job.take());

        // when
        workAt(TRIGGER_NS + 1_000, 0, 1);
        workAt(TRIGGER_NS + 1_000, 2, 3);
        job.runIo();

        // then
        assertEquals(4, job.take().size());
        assertTrue(channelBytes("channel/output/") > 0, "no output channel state");
        assertRestoresExactly(1);
    }

    @Test
    void shouldHaveNoChannelStateIfAllBarriersCameInTime() throws Exception {
        // given
        job = deploy(BarrierSettings.unaligned(1_000_000_000));
        addAllKeys();
        work(2, 0, 1);
        trigger(1);

        // when
        for (int i = 0; i < 200; i++) {
            workAt(TRIGGER_NS + i, 0, 1, 2, 3);
        }
        job.runIo();

        // then
        assertEquals(4, job.take().size());
        assertEquals(0, channelBytes("channel/"));
        assertRestoresExactly(1);
    }

    @Test
    void shouldDeclineWithTheReasonWhenMoreIsInFlightThanAllowed() throws Exception {
        // given
        fillChannels(BarrierSettings.unaligned(0).maxChannelStateBytes(1_000));

        // when
        cut(1);

        // then
        final List<String> told = job.take();
        assertTrue(told.contains("2 declined 1 CHANNEL_STATE_LIMIT"), told::toString);
        assertEquals(
                "more was in flight than maxChannelState=1000 bytes allow",
                job.lastCause().getMessage());
        assertFalse(told.contains("2 acknowledged 1"), told::toString);
    }

    @Test
    void shouldNotTakeTheEndThatADeclinedCheckpointMetForTheEndOfTheNextOnesCapture() throws Exception {
        // given: more in flight to one task than allowed, with the end of data behind it, and two checkpoints under way
        final MemoryLog ended = MemoryLog.bounded(2);
        for (int i = 0; i < 100; i++) {
            ended.add(0, new byte[Long.BYTES]);
        }
        final BarrierSettings barriers = BarrierSettings.unaligned(0).maxChannelStateBytes(1_000);
        final MemoryContext channels = new MemoryContext().dataCapacity(4096).maxBatchLength(256);
        job = new DeployedTasks(ended, output, store, barriers, channels, 2);
        work(20, 0, 1);
        final Task receiver = job.task(3);
        receiver.trigger(1, TRIGGER_NS, barriers.checkpointOptions());
        receiver.trigger(2, TRIGGER_NS, barriers.checkpointOptions());
        job.runIo();
        job.take();

        // when: the first is declined in the step that meets the end
        work(1, 3);

        // then: the second has as much in flight
        job.runIo();
        assertEquals(
                List.of("3 declined 1 CHANNEL_STATE_LIMIT", "3 declined 2 CHANNEL_STATE_LIMIT"),
                job.take().stream().sorted().toList());
    }

    /** FC-74: the tasks go on, and the next checkpoint has it all. */
    @Test
    void shouldDeclineTheCheckpointWhoseRecordsInFlightCannotBeWritten() throws Exception {
        // given: a disk that takes the frozen state, and nothing of what was in flight
        fillChannels(BarrierSettings.unaligned(0));
        store.segments(NoRoomForChannels::new);

        // when
        cut(1);

        // then
        assertEquals(
                IntStream.range(0, 4)
                        .mapToObj(task -> task + " declined 1 SNAPSHOT_FAILED")
                        .toList(),
                job.take().stream().sorted().toList());
        assertEquals("no room", job.lastCause().getMessage());

        // when
        store.segments(UnaryOperator.identity());
        job.tasks().forEach(task -> task.checkpointAborted(1));
        cut(2);

        // then
        assertEquals(
                IntStream.range(0, 4).mapToObj(task -> task + " acknowledged 2").toList(),
                job.take().stream().sorted().toList());
        assertRestoresExactly(2);
    }

    @Test
    void shouldTakeTheNextCheckpointAfterOneThatWasAbortedWhileItWasCaptured() throws Exception {
        // given: the barrier of the second source is missing
        fillChannels(BarrierSettings.unaligned(0));
        job.task(0).trigger(1, TRIGGER_NS, job.barriers().checkpointOptions());
        work(1, 0, 2, 3);
        job.runIo();
        assertEquals(List.of("0 acknowledged 1"), job.take());

        // when
        job.tasks().forEach(task -> task.checkpointAborted(1));
        work(1, 0, 1, 2, 3);
        trigger(2);
        work(1, 0, 1, 2, 3);
        job.runIo();

        // then
        assertEquals(
                List.of("0 acknowledged 2", "1 acknowledged 2", "2 acknowledged 2", "3 acknowledged 2"),
                job.take().stream().sorted().toList());
        job.parts().removeIf(part -> part.segment().file().contains("chk-1"));
        assertRestoresExactly(2);
    }

    /** FLINK-20654, FLINK-35761, FLINK-38544: what was restored and not read yet is in the next cut, not lost between the two. */
    @Test
    void shouldDelayTheNextCutUntilWhatWasInFlightIsProcessed() throws Exception {
        // given: more restored records than one duty cycle takes
        fillChannels(BarrierSettings.unaligned(0));
        cut(1);
        assertEquals(4, job.take().size());
        restart(1);

        // when: triggered at once, with new records on the way
        trigger(2);
        work(1, 0, 1, 2, 3);
        job.runIo();

        // then
        assertEquals(List.of("0 acknowledged 2", "1 acknowledged 2"), job.take());
        for (int i = 0; i < 20; i++) {
            work(1, 0, 1, 2, 3);
        }
        job.runIo();
        assertEquals(List.of("2 acknowledged 2", "3 acknowledged 2"), job.take());
        final List<Long> counts = countsAfterRestore(2);
        for (long count = 1; count <= 3; count++) {
            assertEquals(KEYS, Collections.frequency(counts, count), "keys that were counted to " + count);
        }
        assertEquals(3 * KEYS, counts.size());
    }

    /** FLINK-22376, FLINK-17440: a restore that fails in its middle leaves nothing open. */
    @Test
    void shouldCloseWhatAFailedRestoreHadOpened() throws Exception {
        // given: channel state of another layout than the job's records
        fillChannels(BarrierSettings.unaligned(0));
        cut(1);
        publish(1);
        job.close();

        // when
        final PhysicalPlan other = Planner.plan(DeployedTasks.pipeline(
                input, output, value -> value, 2, Codecs.longs().version(2)));
        final MemoryTransport transport = MemoryTransport.launch(new MemoryContext());
        final PagesStateBackend backend = new PagesStateBackend();
        final TaskException e = assertThrows(
                TaskException.class,
                () -> Deployment.open(
                        other,
                        new TaskSettings(
                                "small", 2, 128, job.barriers(), store, Runnable::run, job.listener(), () -> 0),
                        transport,
                        backend,
                        RestorePlan.newest(store, other, backend),
                        0));

        // then
        assertTrue(e.getMessage().contains("records in flight on edge in->count#0 of codec long"), e.getMessage());
        assertTrue(e.getMessage().contains("the job has long"), e.getMessage());
        assertTrue(e.isPermanent());
        assertEquals(List.of(), transport.links());
        transport.close();
    }

    @Test
    void shouldRefuseWhatIsInFlightOnAnEdgeThatIsGone() throws Exception {
        // given
        fillChannels(BarrierSettings.unaligned(0));
        cut(1);
        publish(1);
        job.close();

        // when
        final PhysicalPlan plan = job.plan();
        final PhysicalPlan unconnected =
                new PhysicalPlan(plan.jobName(), plan.maxParallelism(), plan.vertices(), List.of());
        final RestorePlan restore = RestorePlan.newest(store, unconnected, new PagesStateBackend());

        // then
        final RecoveryException e = assertThrows(RecoveryException.class, () -> restore.restore(List.of()));
        assertTrue(
                e.getMessage().contains("checkpoint 1 of job small has records in flight on edge in->count#0"),
                e.getMessage());
    }

    /** FC-161: the sources go on from where they stood, so that what was in flight is lost, and nothing else. */
    @Test
    void shouldDropWhatWasInFlightWhereThatIsAskedFor() throws Exception {
        // given: nothing of what the sources have sent was counted
        fillChannels(BarrierSettings.unaligned(0));
        cut(1);
        publish(1);
        job.close();
        final PhysicalPlan unconnected = new PhysicalPlan(
                "small", job.plan().maxParallelism(), job.plan().vertices(), List.of());
        final RestoreOptions drop = new RestoreOptions(false, true);

        // when
        RestorePlan.newest(store, unconnected, new PagesStateBackend(), drop).restore(List.of());
        final MemoryContext channels = new MemoryContext().dataCapacity(4096).maxBatchLength(256);
        job = new DeployedTasks(input, output, store, BarrierSettings.unaligned(0), channels, drop);
        job.add(0, 0);
        for (int i = 0; i < 400; i++) {
            work(1, 0, 1, 2, 3);
        }
        trigger(2);
        for (int i = 0; i < 20; i++) {
            work(1, 0, 1, 2, 3);
            job.runIo();
        }
        job.tasks().forEach(task -> task.checkpointComplete(2));
        work(5, 0, 1, 2, 3);
        job.runIo();

        // then: fewer keys are counted than there are, and none twice but the one that came again
        final List<Long> counts = job.outputs();
        assertTrue(counts.size() > 0 && counts.size() < KEYS, "counted " + counts.size());
        assertEquals(0, Collections.frequency(counts, 2L));
    }

    /** FC-148, FLINK-25305: it reads no input, so that no barrier is awaited. */
    @Test
    void shouldHearNoAnnouncementWhereAllWasFinishedBefore() throws Exception {
        // given: a checkpoint of tasks that have all finished
        final MemoryLog ended = MemoryLog.bounded(2);
        final BarrierSettings barriers = BarrierSettings.unaligned(0);
        final MemoryContext channels = new MemoryContext().dataCapacity(4096).maxBatchLength(256);
        job = new DeployedTasks(ended, output, store, barriers, channels, 2);
        finish(1);
        job.parts().clear();
        job.tasks().forEach(task -> task.trigger(2, TRIGGER_NS, barriers.checkpointOptions()));
        workAll();
        job.runIo();
        publish(2);
        job.close();

        // when: triggered before the end of data is sent again
        job = new DeployedTasks(ended, output, store, barriers, channels, 2);
        job.tasks().forEach(task -> task.trigger(3, TRIGGER_NS, barriers.checkpointOptions()));
        work(5, 0, 1, 2, 3);
        job.runIo();

        // then
        assertEquals(
                4,
                job.take().stream()
                        .filter(line -> line.endsWith("acknowledged 3"))
                        .count());
    }

    @Test
    void shouldNotTakeItThatAllDataHasEndedAtLeastOnceWhereItIsSentAgain() throws Exception {
        // given: a barrier ahead of all data of one input, whose end comes before that of the other, which stands for
        // its barrier
        final MemoryLog bounded = MemoryLog.bounded(2);
        bounded.add(0, new byte[Long.BYTES]);
        final BarrierSettings barriers = BarrierSettings.atLeastOnce();
        final MemoryContext channels = new MemoryContext().dataCapacity(4096).maxBatchLength(256);
        job = new DeployedTasks(bounded, output, store, barriers, channels, 2);
        job.task(0).trigger(1, TRIGGER_NS, barriers.checkpointOptions());
        work(5, 0, 2, 3);
        work(5, 1, 2, 3);
        job.runIo();
        job.task(1).trigger(1, TRIGGER_NS, barriers.checkpointOptions());
        work(1, 1);
        job.runIo();
        assertEquals(4, job.parts().size());
        publish(1);
        job.close();

        // when: the record comes again
        job = new DeployedTasks(bounded, output, store, barriers, channels, 2);
        work(5, 0, 1, 2, 3);

        // then
        job.runIo();
        assertTrue(job.take().contains("2 awaits final checkpoint"), "a task behind the record has not ended");
    }

    @Test
    void shouldBlockNothingAtLeastOnceAndLoseNothing() throws Exception {
        // given: a barrier of one input only
        job = deploy(BarrierSettings.atLeastOnce());
        job.task(0).trigger(1, TRIGGER_NS, job.barriers().checkpointOptions());
        work(2, 0, 2, 3);
        addAllKeys();
        work(2, 0, 2, 3);

        // when: records from behind the first barrier are in the state before the second comes
        job.task(1).trigger(1, TRIGGER_NS, job.barriers().checkpointOptions());
        for (int i = 0; i < 200; i++) {
            work(1, 0, 1, 2, 3);
        }
        job.runIo();
        assertEquals(4, job.take().size());

        // then
        final List<Long> counts = countsAfterRestore(1);
        final int lost = KEYS - Collections.frequency(counts, 2L);
        assertEquals(0, lost);
    }

    private DeployedTasks deploy(final BarrierSettings barriers) {
        return deploy(barriers, 2);
    }

    private DeployedTasks deploy(final BarrierSettings barriers, final int parallelism) {
        final MemoryContext channels = new MemoryContext().dataCapacity(4096).maxBatchLength(256);
        return new DeployedTasks(input, output, store, barriers, channels, parallelism);
    }

    /** Deploys the job, and has its sources send until nothing more goes out; the receivers read nothing. */
    private void fillChannels(final BarrierSettings barriers) throws Exception {
        job = deploy(barriers);
        addAllKeys();
        work(50, 0, 1);
        assertTrue(job.task(0).isBlocked() && job.task(1).isBlocked(), "the sources are not blocked");
    }

    /** Triggers a checkpoint, and gives each task one duty cycle. */
    private void cut(final long checkpointId) throws Exception {
        trigger(checkpointId);
        work(1, 0, 1, 2, 3);
        job.runIo();
    }

    private void addAllKeys() {
        for (int key = 0; key < KEYS; key++) {
            job.add(key % 2, key);
        }
    }

    private void trigger(final long checkpointId) {
        job.task(0).trigger(checkpointId, TRIGGER_NS, job.barriers().checkpointOptions());
        job.task(1).trigger(checkpointId, TRIGGER_NS, job.barriers().checkpointOptions());
    }

    private void work(final int cycles, final int... tasks) throws Exception {
        for (int i = 0; i < cycles; i++) {
            workAt(TRIGGER_NS, tasks);
        }
    }

    private void workAt(final long nowNs, final int... tasks) throws Exception {
        for (final int task : tasks) {
            job.task(task).doWork(nowNs);
        }
    }

    private long channelBytes(final String prefix) {
        long bytes = 0;
        for (final Manifest.TaskPart part : job.parts()) {
            try (SegmentReader segment = store.openSegment(part.segment())) {
                for (final Section section : segment.sections()) {
                    if (section.name().startsWith(prefix)) {
                        final long[] length = new long[1];
                        segment.forEach(section.name(), (keyGroup, buffer, offset, each) -> length[0] += each);
                        bytes += length[0];
                    }
                }
            }
        }
        return bytes;
    }

    /** Every key once more, behind the checkpoint: each must have been counted once before that. */
    private void assertRestoresExactly(final long checkpointId) throws Exception {
        final List<Long> counts = countsAfterRestore(checkpointId);
        assertEquals(KEYS, Collections.frequency(counts, 1L), "keys that were counted");
        assertEquals(KEYS, Collections.frequency(counts, 2L), "keys that were counted once before");
        assertEquals(0, Collections.frequency(counts, 3L), "keys that were counted more than once before");
    }

    private void finish(final long checkpointId) throws Exception {
        work(5, 0, 1, 2, 3);
        job.tasks()
                .forEach(task ->
                        task.trigger(checkpointId, TRIGGER_NS, job.barriers().checkpointOptions()));
        work(5, 0, 1, 2, 3);
        job.runIo();
        job.tasks().forEach(task -> task.checkpointComplete(checkpointId));
        for (int i = 0; i < 3; i++) {
            workAll();
            job.runIo();
        }
        job.take();
    }

    /** Goes on from a checkpoint, with every key once more. */
    private void restart(final long checkpointId) {
        publish(checkpointId);
        job.tasks().forEach(Task::close);
        final BarrierSettings barriers = job.barriers();
        job.close();
        job = deploy(barriers, restoredParallelism);
        addAllKeys();
    }

    private List<Long> countsAfterRestore(final long checkpointId) throws Exception {
        restart(checkpointId);
        for (int i = 0; i < 1_000; i++) {
            workAll();
        }
        for (int source = 0; source < restoredParallelism; source++) {
            job.task(source)
                    .trigger(checkpointId + 1, TRIGGER_NS, job.barriers().checkpointOptions());
        }
        for (int i = 0; i < 100; i++) {
            workAll();
            job.runIo();
        }
        job.tasks().forEach(task -> task.checkpointComplete(checkpointId + 1));
        workAll();
        job.runIo();
        return job.outputs();
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

    private void workAll() throws Exception {
        for (final Task task : job.tasks()) {
            task.doWork(TRIGGER_NS);
        }
    }

    private record NoRoomForChannels(SegmentWriter segment) implements SegmentWriter {
        @Override
        public void beginSection(final String name, final String attributes) {
            if (name.startsWith("channel/")) {
                throw new SnapshotException("no room");
            }
            segment.beginSection(name, attributes);
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
        }
    }
}
