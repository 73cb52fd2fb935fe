package io.weir.engine.recovery;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapFunction;
import io.weir.engine.api.Pipeline;
import io.weir.engine.barrier.BarrierMetrics;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.TaskTopology;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskListener;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.transport.Transport;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The tasks of a small job over memory, run by hand: two sources of one partition each ({@code tasks 0 and 1}) and two tasks that
 * count per key and write. Blocking work waits until it is told to run; what the tasks tell their job is written down.
 */
public final class DeployedTasks implements AutoCloseable {
    static final int ATTEMPT = 1;
    static final CheckpointMetrics NO_COST = new CheckpointMetrics(new BarrierMetrics(0, 0, 0, 0, 0, 0, false), 0, 0);
    private static final int CYCLES = 10;

    private final MemoryLog input;
    private final BarrierSettings barriers;
    private final MemoryLog output;
    private final MemoryTransport transport;
    private final ArrayDeque<Runnable> io = new ArrayDeque<>();
    private final ToldByTasks told = new ToldByTasks();
    private final PhysicalPlan plan;
    private final Deployment deployment;

    /**
     * Deploys a job.
     *
     * @param input of two partitions.
     * @param store that the tasks restore from and write to.
     * @param function that every value passes before it is counted.
     */
    public DeployedTasks(final MemoryLog input, final CheckpointStore store, final MapFunction<Long, Long> function) {
        this(
                input,
                MemoryLog.unbounded(1),
                store,
                function,
                BarrierSettings.aligned(),
                new MemoryContext(),
                null,
                null,
                2);
    }

    /** With channels of so little room, and barriers that treat what is in flight as they are told. */
    DeployedTasks(
            final MemoryLog input,
            final MemoryLog output,
            final CheckpointStore store,
            final BarrierSettings barriers,
            final MemoryContext channels,
            final int parallelism) {
        this(input, output, store, value -> value, barriers, channels, null, null, parallelism);
    }

    /** As {@link #DeployedTasks(MemoryLog, MemoryLog, CheckpointStore, BarrierSettings, MemoryContext, int)}, restored so. */
    DeployedTasks(
            final MemoryLog input,
            final MemoryLog output,
            final CheckpointStore store,
            final BarrierSettings barriers,
            final MemoryContext channels,
            final RestoreOptions options) {
        this(input, output, store, value -> value, barriers, channels, null, null, 2, options);
    }

    /** With others for the blocking work and the listener, where they are not null. */
    DeployedTasks(
            final MemoryLog input,
            final CheckpointStore store,
            final MapFunction<Long, Long> function,
            final Executor blocking,
            final TaskListener listener) {
        this(
                input,
                MemoryLog.unbounded(1),
                store,
                function,
                BarrierSettings.aligned(),
                new MemoryContext(),
                blocking,
                listener,
                2);
    }

    private DeployedTasks(
            final MemoryLog input,
            final MemoryLog output,
            final CheckpointStore store,
            final MapFunction<Long, Long> function,
            final BarrierSettings barriers,
            final MemoryContext channels,
            final Executor blocking,
            final TaskListener listener,
            final int parallelism) {
        this(
                input,
                output,
                store,
                function,
                barriers,
                channels,
                blocking,
                listener,
                parallelism,
                RestoreOptions.STRICT);
    }

    private DeployedTasks(
            final MemoryLog input,
            final MemoryLog output,
            final CheckpointStore store,
            final MapFunction<Long, Long> function,
            final BarrierSettings barriers,
            final MemoryContext channels,
            final Executor blocking,
            final TaskListener listener,
            final int parallelism,
            final RestoreOptions options) {
        this.input = input;
        this.output = output;
        this.barriers = barriers;
        transport = MemoryTransport.launch(channels);
        plan = Planner.plan(pipeline(input, output, function, parallelism));
        deployment = Deployment.open(
                plan,
                new TaskSettings(
                        plan.jobName(),
                        ATTEMPT,
                        plan.maxParallelism(),
                        barriers,
                        store,
                        blocking == null ? io::add : blocking,
                        listener == null ? told : listener,
                        () -> 0),
                transport,
                new PagesStateBackend(),
                RestorePlan.newest(store, plan, new PagesStateBackend(), options),
                0);
    }

    static Pipeline pipeline(
            final MemoryLog input,
            final MemoryLog output,
            final MapFunction<Long, Long> function,
            final int parallelism) {
        return pipeline(input, output, function, parallelism, Codecs.longs());
    }

    /** With a codec of the records between the two vertices. */
    static Pipeline pipeline(
            final MemoryLog input,
            final MemoryLog output,
            final MapFunction<Long, Long> function,
            final int parallelism,
            final Codec<Long> between) {
        final Pipeline pipeline = Pipeline.named("small").parallelism(parallelism);
        pipeline.read(input, Codecs.longs())
                .uid("in")
                .map(function)
                .codec(between)
                .uid("map")
                .keyByLong(value -> value)
                .process(new Count())
                .uid("count")
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE)
                .uid("out");
        return pipeline;
    }

    BarrierSettings barriers() {
        return barriers;
    }

    PhysicalPlan plan() {
        return plan;
    }

    TaskTopology topology() {
        return deployment.topology();
    }

    Transport transport() {
        return transport;
    }

    public List<Task> tasks() {
        return deployment.tasks();
    }

    public Task task(final int index) {
        return deployment.tasks().get(index);
    }

    public void add(final int partition, final long value) {
        input.add(
                partition,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }

    /** Runs all tasks until what was sent has arrived. */
    public void run() throws Exception {
        for (int i = 0; i < CYCLES; i++) {
            for (final Task task : tasks()) {
                task.doWork(i);
            }
        }
    }

    /** Runs the blocking work that waits. */
    public void runIo() {
        for (Runnable work; (work = io.poll()) != null; ) {
            work.run();
        }
    }

    /** Who hears of the tasks. */
    public TaskListener listener() {
        return told;
    }

    /** What the tasks have told since the last call. */
    public List<String> take() {
        return told.take();
    }

    /** The parts of checkpoints that were acknowledged. */
    public List<TaskPart> parts() {
        return told.parts();
    }

    /** Of the last decline or failure. */
    public Throwable lastCause() {
        return told.lastCause();
    }

    /** The counts that were written and committed, in order. */
    List<Long> outputs() {
        return output.records(0).stream()
                .map(bytes ->
                        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
                .toList();
    }

    public int outputCount() {
        return output.records(0).size();
    }

    @Override
    public void close() {
        tasks().forEach(Task::close);
        transport.close();
    }

    private static final class Count implements KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        private transient LongState count;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<Long> out)
                throws Exception {
            count.set(count.get(0) + 1);
            out.collect(count.get(0));
        }
    }
}
