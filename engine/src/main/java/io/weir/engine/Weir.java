package io.weir.engine;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.Restore;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.CheckpointSettings;
import io.weir.engine.graph.Planner;
import io.weir.engine.recovery.JobRunner;
import io.weir.engine.recovery.JobSpec;
import io.weir.engine.worker.Watch;
import io.weir.engine.worker.Workers;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.state.StateBackend;
import io.weir.transport.Transport;
import io.weir.transport.aeron.AeronContext;
import io.weir.transport.aeron.AeronTransport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * An engine: worker threads, the connection to the media driver, and the jobs that run on them. Several engines can live in one
 * process. Any thread.
 *
 * <p>Threads: the workers, which never block; one that keeps the driver alive and watches them; one per job, which decides and waits; and a few
 * for what may block (forcing files, committing transactions).
 */
public final class Weir implements AutoCloseable {
    private static final Logger LOGGER = System.getLogger(Weir.class.getName());
    private static final int IO_THREADS = 4;

    private final EngineSettings settings;
    private final EpochNanoClock clock = new OffsetEpochNanoClock();
    private final List<Job> jobs = new CopyOnWriteArrayList<>();
    private final ExecutorService io;
    private final Transport transport;
    private final AgentRunner housekeeping;
    private final Workers workers;

    private Weir(final EngineSettings settings) {
        this.settings = settings;
        transport = AeronTransport.launch(aeron(settings));
        final AtomicInteger ioThreads = new AtomicInteger();
        io = Executors.newFixedThreadPool(IO_THREADS, work -> daemon(work, "weir-io-" + ioThreads.getAndIncrement()));
        try {
            workers = new Workers(settings.workers(), settings.pinWorkers(), transport, clock, settings.errorHandler());
        } catch (final RuntimeException e) {
            CloseHelper.closeAll(e::addSuppressed, io::shutdownNow, transport);
            throw e;
        }
        final Watch workersWatch = new Watch(workers, settings.stuckTaskTimeoutNs());
        final Runnable watch = () -> workersWatch.look(clock.nanoTime());
        housekeeping = new AgentRunner(
                new SleepingMillisIdleStrategy(1), settings.errorHandler(), null, new Housekeeping(transport, watch));
        AgentRunner.startOnThread(housekeeping, work -> daemon(work, "weir-housekeeping"));
    }

    /**
     * Launches an engine.
     *
     * @param context with its settings, copied.
     * @return the engine; close it.
     * @throws IllegalArgumentException if a setting is out of range; the message names it.
     * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add.
     */
    public static Weir launch(final Context context) {
        return new Weir(context.conclude());
    }

    /**
     * Runs a pipeline. If the checkpoint store has checkpoints of a job with this pipeline's name, the job goes on from the
     * newest, else it begins empty.
     *
     * @param pipeline to run; a later change of it does not reach the job.
     * @return the job, which has begun to start.
     * @throws IllegalArgumentException if the pipeline can't be planned; the message names the operator.
     */
    public Job run(final Pipeline pipeline) {
        return run(pipeline, Restore.newest());
    }

    /**
     * Runs a pipeline from a savepoint, or with permissions for a pipeline that has changed.
     *
     * @param pipeline to run; a later change of it does not reach the job.
     * @param restore what the job begins with. A savepoint that can't be read, or does not fit, fails the job at once.
     * @return the job, which has begun to start.
     * @throws IllegalArgumentException if the pipeline can't be planned; the message names the operator. Also if a savepoint is to be
     *     claimed by a job that keeps its checkpoints in memory.
     */
    public Job run(final Pipeline pipeline, final Restore restore) {
        final Checkpoints.Settings checkpoints = settings.checkpoints();
        if (restore.isClaimed() && checkpoints.place() instanceof Checkpoints.Memory) {
            throw new IllegalArgumentException("a savepoint can't be claimed by a job whose checkpoints are in memory: "
                    + restore.path() + " would be gone with the process; say Checkpoints.every(..).in(directory)");
        }
        final CheckpointSettings limits = new CheckpointSettings(
                checkpoints.intervalNs(),
                checkpoints.timeoutNs(),
                checkpoints.minPauseNs(),
                checkpoints.maxConcurrent(),
                checkpoints.tolerableFailures(),
                checkpoints.retained(),
                checkpoints.backlogIntervalNs(),
                checkpoints.alignmentTimeoutNs() != Checkpoints.Settings.NEVER_UNALIGNED,
                checkpoints.isRetainedOnCancel());
        final JobSpec spec = new JobSpec(
                Planner.plan(pipeline),
                limits,
                barriers(checkpoints),
                storage(checkpoints.place()),
                settings.stateBackend(),
                settings.restartStrategy(),
                restore);
        final JobRunner runner = new JobRunner(spec, transport, workers.all(), io, ForkJoinPool.commonPool(), clock);
        final Job job = new Job(runner);
        jobs.add(job);
        daemon(runner, "weir-job-" + spec.plan().jobName()).start();
        return job;
    }

    /**
     * What the engine runs with.
     *
     * @return all settings, and what was derived from them, for people.
     */
    public String describe() {
        return settings + " idle=" + workers.idleStrategy();
    }

    /**
     * Ends the jobs that still run, without a further checkpoint and without deleting one, and all threads; the error handler hears
     * what went wrong. Idempotent.
     */
    @Override
    public void close() {
        for (final Job job : jobs) {
            job.suspend();
        }
        for (final Job job : jobs) {
            job.awaitEnd();
        }
        CloseHelper.closeAll(settings.errorHandler(), workers, housekeeping, io::shutdown);
        // What a thread that was left behind in a task may still read and write stays mapped until it comes back.
        workers.afterLast(() -> CloseHelper.close(settings.errorHandler(), transport));
    }

    private static AeronContext aeron(final EngineSettings settings) {
        final AeronContext aeron = new AeronContext().errorHandler(settings.errorHandler());
        return settings.aeronDirectory() == null ? aeron : aeron.aeronDirectory(settings.aeronDirectory());
    }

    private static BarrierSettings barriers(final Checkpoints.Settings checkpoints) {
        if (checkpoints.atLeastOnce()) {
            return BarrierSettings.atLeastOnce();
        }
        return checkpoints.alignmentTimeoutNs() == Checkpoints.Settings.NEVER_UNALIGNED
                ? BarrierSettings.aligned()
                : BarrierSettings.unaligned(checkpoints.alignmentTimeoutNs())
                        .maxChannelStateBytes(checkpoints.maxChannelStateBytes());
    }

    private static CheckpointStorage storage(final Checkpoints.Place place) {
        if (place instanceof Checkpoints.Directory directory) {
            return new FileCheckpointStorage(directory.directory());
        }
        if (place instanceof Checkpoints.Storage storage) {
            return storage.storage();
        }
        return new MemoryCheckpointStorage();
    }

    private static Thread daemon(final Runnable work, final String name) {
        final Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Settings of an engine. Fluent; {@link Weir#launch} checks and copies them. One thread at a time. */
    public static final class Context {
        /** System property for the default of {@link #workers}. */
        public static final String WORKERS_PROP = "weir.workers";

        /** Default of {@link #workers}. */
        public static final int WORKERS_DEFAULT = 1;

        /** The most {@link #workers}: more threads than any machine has cores for. */
        public static final int MAX_WORKERS = 1024;

        /** System property for the default of {@link #pinWorkers}. */
        public static final String PIN_WORKERS_PROP = "weir.pinWorkers";

        /** System property for the default of {@link #stuckTaskTimeout}, in nanoseconds. */
        public static final String STUCK_TASK_TIMEOUT_NS_PROP = "weir.stuckTaskTimeoutNs";

        /** Default of {@link #stuckTaskTimeout}. */
        public static final Duration STUCK_TASK_TIMEOUT_DEFAULT = Duration.ofSeconds(60);

        private static final Duration CHECKPOINT_INTERVAL_DEFAULT = Duration.ofSeconds(1);
        private static final int MAX_RESTARTS_DEFAULT = 10;
        private static final Duration RESTART_DELAY_DEFAULT = Duration.ofMillis(100);

        private int workers = Integer.getInteger(WORKERS_PROP, WORKERS_DEFAULT);
        private boolean pinWorkers = Boolean.getBoolean(PIN_WORKERS_PROP);
        private String aeronDirectory = System.getProperty(AeronContext.AERON_DIRECTORY_PROPERTY);
        private Checkpoints checkpoints =
                Checkpoints.every(CHECKPOINT_INTERVAL_DEFAULT).inMemory();
        private StateBackend stateBackend = new PagesStateBackend();
        private RestartStrategy restartStrategy =
                RestartStrategy.fixedDelay(MAX_RESTARTS_DEFAULT, RESTART_DELAY_DEFAULT);
        private Duration stuckTaskTimeout =
                Duration.ofNanos(Long.getLong(STUCK_TASK_TIMEOUT_NS_PROP, STUCK_TASK_TIMEOUT_DEFAULT.toNanos()));
        private ErrorHandler errorHandler = error -> LOGGER.log(Level.ERROR, "engine error", error);

        /**
         * Sets how many worker threads run the tasks.
         *
         * @param count in [1, {@link #MAX_WORKERS}]. Default 1.
         * @return this.
         */
        public Context workers(final int count) {
            workers = count;
            return this;
        }

        /**
         * Sets whether each worker is pinned to a core of its own, out of those that the launching thread may run on. A worker
         * that has none, since there are fewer, is not pinned; the log says so. Needs {@code net.openhft:affinity} on the
         * class path.
         *
         * @param pin whether to pin. Default false.
         * @return this.
         */
        public Context pinWorkers(final boolean pin) {
            pinWorkers = pin;
            return this;
        }

        /**
         * Uses a media driver that runs outside the engine.
         *
         * @param directory of the driver. Default {@code aeron.dir}; null embeds one.
         * @return this.
         */
        public Context aeronDirectory(final String directory) {
            aeronDirectory = directory;
            return this;
        }

        /**
         * Sets when checkpoints are taken and where they are kept.
         *
         * @param newCheckpoints of every job. Default every second, in memory.
         * @return this.
         */
        public Context checkpoints(final Checkpoints newCheckpoints) {
            checkpoints = newCheckpoints;
            return this;
        }

        /**
         * Sets what keeps the keyed state.
         *
         * @param backend of every job. Default {@link PagesStateBackend}: off-heap, any size, incremental; {@code HeapStateBackend} keeps
         *     it in plain objects.
         * @return this.
         */
        public Context stateBackend(final StateBackend backend) {
            stateBackend = backend;
            return this;
        }

        /**
         * Sets what happens after a failure.
         *
         * @param strategy of every job. Default up to 10 restarts, 100 ms before each.
         * @return this.
         */
        public Context restartStrategy(final RestartStrategy strategy) {
            restartStrategy = strategy;
            return this;
        }

        /**
         * Sets how long a function, source or sink may keep a worker's thread. After that the job fails with the place where the
         * thread is, and the thread is interrupted if it is in the user's code: what was waiting for a lock or a socket then throws,
         * and the job starts again. What does not return for as long again, at most 10 s, is given up: its job fails for good,
         * since nobody can tell what that code will still do, and the other tasks of the worker go on with a new thread. What the task
         * holds is freed when it does return.
         *
         * @param timeout positive. Default 60 s.
         * @return this.
         */
        public Context stuckTaskTimeout(final Duration timeout) {
            stuckTaskTimeout = timeout;
            return this;
        }

        /**
         * Sets who hears of errors that belong to no job, such as the media driver's.
         *
         * @param handler of errors. Default logs them.
         * @return this.
         */
        public Context errorHandler(final ErrorHandler handler) {
            errorHandler = handler;
            return this;
        }

        EngineSettings conclude() {
            return new EngineSettings(
                    workers,
                    pinWorkers,
                    aeronDirectory,
                    checkpoints.conclude(),
                    stateBackend,
                    restartStrategy,
                    stuckTaskTimeout,
                    errorHandler);
        }

        @Override
        public String toString() {
            return "Weir.Context{workers=" + workers + ", pinWorkers=" + pinWorkers + ", aeronDirectory="
                    + aeronDirectory + ", checkpoints=" + checkpoints + ", stateBackend="
                    + (stateBackend == null ? null : stateBackend.name()) + ", restartStrategy=" + restartStrategy
                    + ", stuckTaskTimeout=" + stuckTaskTimeout + '}';
        }
    }

    /** Keeps the driver and its client alive at a low rate, whatever the workers do, and looks after these. */
    private record Housekeeping(Transport transport, Runnable watch) implements Agent {
        /** An error would end the thread; of a full heap its jobs tell. */
        @Override
        public int doWork() {
            try {
                transport.pump();
                watch.run();
            } catch (final OutOfMemoryError e) {
                return 1;
            }
            return 0;
        }

        @Override
        public String roleName() {
            return "weir-housekeeping";
        }
    }
}
