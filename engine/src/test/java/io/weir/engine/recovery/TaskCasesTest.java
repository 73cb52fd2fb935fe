package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.engine.graph.PhysicalPlan.SourceNode;
import io.weir.engine.graph.PhysicalPlan.ToEdge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.OperatorContext;
import io.weir.engine.operator.OperatorSnapshot;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryLink;
import io.weir.transport.memory.MemoryTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The snapshot step of a task, case by case: a source, an operator that writes down its calls, and a receiver behind it. */
final class TaskCasesTest {
    private static final int SOURCE = 0;
    private static final int MIDDLE = 1;
    private static final int LAST = 2;
    private static final Path FOLDER = Path.of("/checkpoints");

    private final MemoryFileStore files = new MemoryFileStore();
    private final MemoryLog input = MemoryLog.unbounded(1);
    private final MemoryTransport transport =
            MemoryTransport.launch(new MemoryContext().dataCapacity(4096).maxBatchLength(256));
    private final ArrayDeque<Runnable> io = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private final ToldByTasks told = new ToldByTasks();
    private final CheckpointStore store;
    private Deployment deployment;
    private String failsIn = "nothing";
    private long watermarkNs = Long.MIN_VALUE;

    TaskCasesTest() {
        files.createDirectory(FOLDER);
        store = new FileCheckpointStorage(files, FOLDER).open("cases");
    }

    @AfterEach
    void close() {
        deployment.tasks().forEach(Task::close);
        runIo();
        transport.close();
        store.close();
    }

    /** FC-69, FLINK-17568: hook, barrier out, state cut; no record in between, also where the outputs are full and the barrier overtakes. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000})
    void shouldSendTheBarrierBetweenTheHookAndTheCut(final long timeoutNs) throws Exception {
        // given: records before and behind a barrier that comes in time, and full outputs where it need not
        final BarrierSettings barriers = BarrierSettings.unaligned(timeoutNs);
        deploy(barriers);
        add(timeoutNs == 0 ? 1_000 : 3);
        work(20, SOURCE);
        if (timeoutNs == 0) {
            work(20, SOURCE, MIDDLE);
            assertTrue(task(MIDDLE).isBlocked());
        }
        task(SOURCE).trigger(1, 0, barriers.checkpointOptions());
        work(1, SOURCE);
        add(3);

        // when
        work(2, SOURCE, MIDDLE);

        // then
        final int hook = calls.indexOf("hook 1, not announced");
        assertTrue(hook >= 0, calls::toString);
        assertEquals("cut 1, announced", calls.get(hook + 1));
        if (timeoutNs > 0) {
            assertEquals(List.of("receive 0", "receive 1", "receive 2"), calls.subList(0, hook));
            assertEquals(List.of("receive 3", "receive 4", "receive 5"), calls.subList(hook + 2, calls.size()));
        }
    }

    /** FC-47, FLINK-17568: a barrier ends the cycle, so that the control lane is read before the next record. */
    @Test
    void shouldEndTheCycleAtABarrier() throws Exception {
        // given: four records, a barrier and two records, all in the channel, the barrier at the end of no step
        final BarrierSettings barriers = BarrierSettings.aligned();
        deploy(barriers);
        add(4);
        work(20, SOURCE);
        task(SOURCE).trigger(1, 0, barriers.checkpointOptions());
        work(1, SOURCE);
        add(2);
        work(20, SOURCE);

        // then
        work(1, MIDDLE);
        assertEquals("cut 1, not announced", calls.get(calls.size() - 1));
        work(1, MIDDLE);
        assertEquals(List.of("receive 4", "receive 5"), calls.subList(calls.size() - 2, calls.size()));
    }

    /** FC-72: operators hear of a completion once, and never of an older one. */
    @Test
    void shouldTellOperatorsOfRisingCompletionsOnly() throws Exception {
        deploy(BarrierSettings.aligned());
        for (final long id : new long[] {5, 4, 5}) {
            task(MIDDLE).checkpointComplete(id);
        }
        work(1, MIDDLE);
        assertEquals(List.of("complete 5"), calls);
    }

    /** FC-63: an abort reaches the operators, and what was written of the snapshot is deleted. */
    @Test
    void shouldDeleteWhatWasWrittenOfAnAbortedSnapshot() throws Exception {
        // given: the frozen state is written, and channel state is awaited from a channel whose barrier is held back
        deploy(BarrierSettings.unaligned(0));
        add(1_000);
        work(20, SOURCE);
        task(SOURCE).trigger(1, 0, BarrierSettings.unaligned(0).checkpointOptions());
        transport.links().forEach(link -> link.hold());
        transport.links().forEach(link -> link.allow(1));
        work(1, SOURCE, MIDDLE);
        runIo();
        assertEquals(List.of("0 acknowledged 1"), told.take());
        assertTrue(calls.stream().anyMatch(call -> call.startsWith("cut 1")), calls::toString);
        final int before = fileCount();
        calls.clear();

        // when
        task(MIDDLE).checkpointAborted(1);
        work(1, MIDDLE);
        runIo();

        // then
        assertEquals(before - 1, fileCount(), "the half-written segment is gone");
        assertEquals(List.of(), told.take());
        assertEquals("abort 1", calls.get(0));
    }

    /** FC-70: what fails in the hook or in the cut is declined with its cause and leaves no file, and the task goes on. */
    @ParameterizedTest
    @CsvSource({"hook, 2 declined 1 CANCELLED_UPSTREAM, 2", "cut, 2 acknowledged 1, 3"})
    void shouldDeclineASnapshotThatFails(final String failing, final String toldByLast, final int files)
            throws Exception {
        deploy(BarrierSettings.aligned());
        final int before = fileCount();
        failsIn = failing;

        trigger(1, BarrierSettings.aligned());

        assertEquals(
                List.of("0 acknowledged 1", "1 declined 1 SNAPSHOT_FAILED", toldByLast),
                told.take().stream().sorted().toList());
        assertEquals(
                before + files,
                fileCount(),
                "two files of the source, whose positions are state, one of the last task");
        failsIn = "nothing";
        trigger(2, BarrierSettings.aligned());
        assertEquals(
                3,
                told.take().stream()
                        .filter(line -> line.endsWith("acknowledged 2"))
                        .count());
    }

    /** FC-166: one that could not be stored, and one that an operator could not take. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellOperatorsOfEachAbortOnce(final boolean unaligned) throws Exception {
        final BarrierSettings barriers = unaligned ? BarrierSettings.unaligned(0) : BarrierSettings.aligned();
        deploy(barriers);
        trigger(1, barriers);
        deployment.tasks().forEach(task -> task.checkpointAborted(1));
        failsIn = "cut";
        trigger(2, barriers);
        deployment.tasks().forEach(task -> task.checkpointAborted(2));
        work(2, SOURCE, MIDDLE, LAST);

        assertEquals(
                List.of("abort 1", "abort 2"),
                calls.stream().filter(call -> call.startsWith("abort")).toList());
    }

    /** FC-71: a task can be closed although its snapshot is stuck on its way to the disk. */
    @Test
    void shouldCloseThoughAWriteIsStuck() throws Exception {
        // given
        deploy(BarrierSettings.aligned());
        task(SOURCE).trigger(1, 0, 0);
        work(1, SOURCE);

        // when
        task(SOURCE).close();

        // then: closed, and quiet as soon as the disk answers
        assertFalse(task(SOURCE).isQuiet());
        runIo();
        assertTrue(task(SOURCE).isQuiet());
        assertEquals(List.of(), told.take());
    }

    /** The watermark is part of the snapshot: none comes from upstream here. */
    @Test
    void shouldTellOperatorsTheWatermarkOfTheSnapshotWhenItIsRestored() throws Exception {
        // given
        deploy(BarrierSettings.aligned());
        add(3);
        work(20, SOURCE, MIDDLE);
        assertEquals(2, watermarkNs);
        trigger(1, BarrierSettings.aligned());
        store.publish(new Manifest("cases", 1, 1, 0, 128, PagesStateBackend.NAME, told.parts()));
        deployment.tasks().forEach(Task::close);
        runIo();
        watermarkNs = Long.MIN_VALUE;

        // when
        deploy(BarrierSettings.aligned());

        // then
        assertEquals(2, watermarkNs);
    }

    private void deploy(final BarrierSettings barriers) {
        final ChainNode last = new ChainNode("last", "last", Silent::new, List.of());
        final ChainNode middle = new ChainNode("middle", "middle", Recording::new, List.of(new ToEdge(null, 1)));
        final ChainNode time = new ChainNode("time", "time", Timed::new, List.of(new ToEdge(null, 0)));
        final SourceNode source = new SourceNode("in", input, Codecs.longs(), OnBadRecord.FAIL);
        final PhysicalPlan plan = new PhysicalPlan(
                "cases",
                128,
                List.of(
                        new Vertex(SOURCE, "in", "in", 1, source, List.of(new Chained(null, time))),
                        new Vertex(MIDDLE, "middle", "middle", 1, null, List.of(new Chained(null, middle))),
                        new Vertex(LAST, "last", "last", 1, null, List.of(new Chained(null, last)))),
                List.of(
                        new Edge(0, SOURCE, MIDDLE, Partitioning.REBALANCE, Codecs.longs(), null, 0),
                        new Edge(1, MIDDLE, LAST, Partitioning.REBALANCE, Codecs.longs(), null, 0)));
        deployment = Deployment.open(
                plan,
                new TaskSettings("cases", 1, 128, barriers, store, io::add, told, () -> 0),
                transport,
                new PagesStateBackend(),
                RestorePlan.newest(store, plan, new PagesStateBackend()),
                0);
    }

    private Task task(final int index) {
        return deployment.tasks().get(index);
    }

    private void trigger(final long checkpointId, final BarrierSettings barriers) throws Exception {
        task(SOURCE).trigger(checkpointId, 0, barriers.checkpointOptions());
        work(2, SOURCE, MIDDLE, LAST);
        runIo();
    }

    private void add(final int records) {
        for (int i = 0; i < records; i++) {
            input.add(
                    0,
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(input.records(0).size())
                            .array());
        }
    }

    private void work(final int cycles, final int... tasks) throws Exception {
        for (int i = 0; i < cycles; i++) {
            for (final int task : tasks) {
                task(task).doWork(0);
            }
        }
    }

    private void runIo() {
        for (Runnable work; (work = io.poll()) != null; ) {
            work.run();
        }
    }

    private int fileCount() {
        return fileCount(FOLDER);
    }

    private int fileCount(final Path folder) {
        int count = 0;
        for (final String name : files.list(folder)) {
            final Path path = folder.resolve(name);
            count += switch (files.kind(path)) {
                case DIRECTORY -> fileCount(path);
                default -> 1;
            };
        }
        return count;
    }

    /** Whether the middle task has announced its barrier to the last. */
    private String announced() {
        final MemoryLink control = transport.links().stream()
                .filter(link -> link.name().startsWith("middle"))
                .max(Comparator.comparingInt(MemoryLink::streamId))
                .orElseThrow();
        final boolean isAnnounced = control.waitingFrames() > 0;
        return isAnnounced ? "announced" : "not announced";
    }

    /** Writes down what the task calls, and hands records on. */
    private final class Recording implements Operator<Long> {
        private OperatorContext context;

        @Override
        public void open(final OperatorContext operatorContext) {
            context = operatorContext;
        }

        @Override
        public void receive(final Long value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
            calls.add("receive " + value);
            context.<Long>output().receive(value, timestampNs, sourceWatermarkNs);
        }

        @Override
        public void watermark(final long newWatermarkNs) throws Exception {
            watermarkNs = newWatermarkNs;
            context.output().watermark(newWatermarkNs);
        }

        @Override
        public void idle() {
            context.output().idle();
        }

        @Override
        public void beforeBarrier(final long checkpointId) {
            calls.add("hook " + checkpointId + ", " + announced());
            failIn("hook");
        }

        @Override
        public void snapshot(final OperatorSnapshot snapshot) {
            calls.add("cut " + snapshot.checkpointId() + ", " + announced());
            failIn("cut");
        }

        private void failIn(final String step) {
            if (failsIn.equals(step)) {
                throw new IllegalStateException("planned");
            }
        }

        @Override
        public void checkpointComplete(final long checkpointId) {
            calls.add("complete " + checkpointId);
        }

        @Override
        public void checkpointAborted(final long checkpointId) {
            calls.add("abort " + checkpointId);
        }
    }

    /** A record's value is the time behind it. */
    private static final class Timed implements Operator<Long> {
        private OperatorContext context;

        @Override
        public void open(final OperatorContext operatorContext) {
            context = operatorContext;
        }

        @Override
        public void receive(final Long value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
            context.<Long>output().receive(value, timestampNs, sourceWatermarkNs);
            context.output().watermark(value);
        }

        @Override
        public void watermark(final long newWatermarkNs) {}

        @Override
        public void idle() {}
    }

    /** Takes everything. */
    private static final class Silent implements Operator<Long> {
        @Override
        public void open(final OperatorContext context) {}

        @Override
        public void receive(final Long value, final long timestampNs, final long sourceWatermarkNs) {}

        @Override
        public void watermark(final long watermarkNs) {}

        @Override
        public void idle() {}
    }
}
