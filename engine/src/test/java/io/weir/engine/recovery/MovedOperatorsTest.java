package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.Stream;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkpoint restored into another pipeline: state follows the operators by their uids. One thread, one test at a time. */
final class MovedOperatorsTest {
    private static final RestoreOptions ALLOW = new RestoreOptions(true, false);
    private static final int KEYS = 20;

    /** What the operators got back and made; the functions are copied into their tasks. */
    private static final List<Long> COUNTS = Collections.synchronizedList(new ArrayList<>());

    private static final List<String> RESTORED = Collections.synchronizedList(new ArrayList<>());

    private final CheckpointStore store = new MemoryCheckpointStorage().open("moved");
    private final MemoryLog input = MemoryLog.unbounded(2);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private StateBackend backend = new PagesStateBackend();
    private long checkpointId;

    @BeforeEach
    void clear() {
        COUNTS.clear();
        RESTORED.clear();
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** How the job looks in one life. */
    private record Shape(int parallelism, int firstParallelism, int lastParallelism, String state, boolean hasNew) {
        static final Shape FIRST = new Shape(2, 2, 2, "count", false);

        /** 0 leaves out the last operator. */
        Shape last(final int subtasks) {
            return new Shape(parallelism, firstParallelism, subtasks, state, hasNew);
        }
    }

    private Pipeline pipeline(final Shape shape) {
        final Pipeline pipeline = Pipeline.named("moved").parallelism(shape.parallelism());
        Stream<Long> counted = pipeline.read(input, Codecs.longs())
                .uid("in")
                .process(new Seen("first"))
                .uid("first")
                .parallelism(shape.firstParallelism())
                .codec(Codecs.longs())
                .keyByLong(value -> value)
                .process(new Count(shape.state()))
                .uid("count")
                .codec(Codecs.longs());
        if (shape.lastParallelism() > 0) {
            counted = counted.process(new Seen("last"))
                    .uid("last")
                    .parallelism(shape.lastParallelism())
                    .codec(Codecs.longs());
        }
        if (shape.hasNew()) {
            counted = counted.process(new Seen("new")).uid("new").codec(Codecs.longs());
        }
        counted.write(output, Codecs.longs(), Delivery.EXACTLY_ONCE).uid("out");
        return pipeline;
    }

    /** One life: restores, counts each key once, and takes a checkpoint. */
    private void live(final Shape shape, final RestoreOptions options) throws Exception {
        COUNTS.clear();
        RESTORED.clear();
        final PhysicalPlan plan = Planner.plan(pipeline(shape));
        final ToldByTasks told = new ToldByTasks();
        checkpointId++;
        try (MemoryTransport transport = MemoryTransport.launch(new MemoryContext())) {
            final TaskSettings settings = new TaskSettings(
                    "moved",
                    (int) checkpointId,
                    plan.maxParallelism(),
                    BarrierSettings.aligned(),
                    store,
                    Runnable::run,
                    told,
                    () -> 0);
            final Deployment deployment = Deployment.open(
                    plan, settings, transport, backend, RestorePlan.newest(store, plan, backend, options), 0);
            try {
                for (long key = 0; key < KEYS; key++) {
                    input.add(
                            (int) (key % 2),
                            ByteBuffer.allocate(Long.BYTES)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putLong(key)
                                    .array());
                }
                run(deployment);
                deployment.tasks().stream()
                        .filter(task -> task.id().vertexUid().equals("in"))
                        .forEach(task -> task.trigger(checkpointId, 0, 0));
                run(deployment);
                assertEquals(deployment.tasks().size(), told.parts().size(), told.take()::toString);
                store.publish(
                        new Manifest("moved", checkpointId, 1, 0, plan.maxParallelism(), backend.name(), told.parts()));
            } finally {
                deployment.tasks().forEach(Task::close);
            }
        }
    }

    private static void run(final Deployment deployment) throws Exception {
        for (int cycle = 0; cycle < 20; cycle++) {
            for (final Task task : deployment.tasks()) {
                task.doWork(cycle);
            }
        }
    }

    /** Each key was counted to a number, and each operator that keeps a list got back what it had seen in so many lives. */
    private static void assertCounted(final long to, final int first, final int last) {
        assertEquals(Collections.nCopies(KEYS, to), COUNTS);
        assertEquals(first * KEYS, Collections.frequency(RESTORED, "first"));
        assertEquals(last * KEYS, Collections.frequency(RESTORED, "last"));
    }

    /** FC-132: operators that were a chain become two, and one again, at another parallelism; none loses its state. */
    @ParameterizedTest
    @ValueSource(strings = {"pages", "heap"})
    void shouldLetStateFollowItsOperatorIntoOtherChains(final String name) throws Exception {
        backend = name.equals("heap") ? new HeapStateBackend() : new PagesStateBackend();
        live(Shape.FIRST, RestoreOptions.STRICT);
        assertCounted(1, 0, 0);

        live(new Shape(2, 1, 3, "count", false), RestoreOptions.STRICT);
        assertCounted(2, 1, 1);
        live(new Shape(3, 3, 3, "count", false), RestoreOptions.STRICT);
        assertCounted(3, 2, 2);
        live(new Shape(1, 2, 1, "count", true), RestoreOptions.STRICT);
        assertCounted(4, 3, 3);
        live(new Shape(2, 2, 2, "count", true), RestoreOptions.STRICT);
        assertCounted(5, 4, 4);
        assertEquals(KEYS, Collections.frequency(RESTORED, "new"));
    }

    /** FC-133: state without an operator is refused, or left behind for good; an operator without state begins empty. */
    @Test
    void shouldRefuseStateOfAnOperatorThatIsGoneUnlessThatIsAllowed() throws Exception {
        live(Shape.FIRST, RestoreOptions.STRICT);
        final Shape without = Shape.FIRST.last(0);

        final RecoveryException e = assertThrows(RecoveryException.class, () -> live(without, RestoreOptions.STRICT));
        assertTrue(e.getMessage().contains("state of operators [last]"), e.getMessage());
        assertTrue(e.getMessage().contains("allowUnmatched"), e.getMessage());

        live(without, ALLOW);
        assertCounted(2, 1, 0);
        live(without, RestoreOptions.STRICT);
        assertCounted(3, 2, 0);
        live(Shape.FIRST, RestoreOptions.STRICT);
        assertCounted(4, 3, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pages", "heap"})
    void shouldRefuseAStateThatNobodyAsksForUnlessThatIsAllowed(final String name) throws Exception {
        backend = name.equals("heap") ? new HeapStateBackend() : new PagesStateBackend();
        live(Shape.FIRST, RestoreOptions.STRICT);
        final Shape renamed = new Shape(2, 2, 2, "other", false);

        final TaskException e = assertThrows(TaskException.class, () -> live(renamed, RestoreOptions.STRICT));
        assertTrue(e.getMessage().contains("count/state.count"), e.getMessage());
        assertTrue(e.getMessage().contains("allowUnmatched"), e.getMessage());

        live(renamed, ALLOW);
        assertCounted(1, 1, 1);
        live(renamed, RestoreOptions.STRICT);
        assertCounted(2, 2, 2);
        // What was left behind does not come back.
        live(Shape.FIRST, ALLOW);
        assertCounted(1, 3, 3);
    }

    @Test
    void shouldRefuseAnotherBackendOnlyWhereItCanNotReadTheState() throws Exception {
        backend = new HeapStateBackend();
        live(Shape.FIRST, RestoreOptions.STRICT);
        backend = new PagesStateBackend();
        live(Shape.FIRST, RestoreOptions.STRICT);
        assertCounted(2, 1, 1);
        backend = new HeapStateBackend();

        final RecoveryException e =
                assertThrows(RecoveryException.class, () -> live(Shape.FIRST, RestoreOptions.STRICT));

        assertTrue(e.getMessage().contains("state backend pages"), e.getMessage());
        assertTrue(e.getMessage().contains("canonical"), e.getMessage());
    }

    @Test
    void shouldGoOnReadingWhereItsSourceStoodInAnotherChain() throws Exception {
        live(Shape.FIRST, RestoreOptions.STRICT);
        live(new Shape(2, 1, 2, "count", false), RestoreOptions.STRICT);

        // Had the positions stayed behind, the keys of the first life would have been counted again.
        assertEquals(new TreeSet<>(List.of(2L)), new TreeSet<>(COUNTS));
        assertEquals(KEYS, COUNTS.size());
    }

    private static final class Count implements KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        private final String state;
        private transient LongState count;

        private Count(final String state) {
            this.state = state;
        }

        @Override
        public void open(final KeyedStates states) {
            count = states.longState(state);
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<Long> out)
                throws Exception {
            count.set(count.get(0) + 1);
            COUNTS.add(count.get(0));
            out.collect(count.get(0));
        }
    }

    /** Hands on what it gets, and keeps all of it. */
    private static final class Seen implements ProcessFunction<Long, Long>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        private final String name;
        private transient ListState<Long> seen;

        private Seen(final String name) {
            this.name = name;
        }

        @Override
        public void initialize(final OperatorStates states) {
            seen = states.list("seen", Codecs.longs());
            for (int i = 0; i < seen.size(); i++) {
                RESTORED.add(name);
            }
        }

        @Override
        public void snapshot(final long ofCheckpoint) {
            // The list is what it is.
        }

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out)
                throws Exception {
            seen.add(value);
            out.collect(value);
        }
    }
}
