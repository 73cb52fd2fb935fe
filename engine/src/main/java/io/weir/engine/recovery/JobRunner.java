package io.weir.engine.recovery;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.coordinator.CheckpointCoordinator;
import io.weir.engine.coordinator.CheckpointHistory;
import io.weir.engine.coordinator.StopKind;
import io.weir.engine.recovery.JobRequests.Request;
import io.weir.engine.recovery.JobRequests.Taken;
import io.weir.engine.status.CheckpointStatistics;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.engine.status.RestartHistory;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskCounters;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskSettings;
import io.weir.engine.worker.Worker;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.log.LogException;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.state.StateException;
import io.weir.transport.NoRoomException;
import io.weir.transport.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochNanoClock;

/**
 * One job from start to end, on a thread of its own: attempts follow each other, each from the newest completed checkpoint, until
 * the job has finished, was stopped or cancelled, or fails for good. {@link #run()} is that thread; all else may be called by
 * any.
 */
public final class JobRunner implements Runnable {
    private static final Logger LOGGER = System.getLogger(JobRunner.class.getName());
    private static final long CLOSE_DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long CLOSE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final JobSpec spec;
    private final Transport transport;
    private final List<Worker> workers;
    private final Executor io;
    private final EpochNanoClock clock;
    private final String jobName;
    private final RestartBackoff backoff;
    private final JobEvents events = new JobEvents();
    private final JobRequests requests;
    private final CheckpointStatistics statistics = new CheckpointStatistics();
    private final RestartHistory restarts = new RestartHistory();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile JobState state = JobState.STARTING;
    /** Of the tasks of the newest attempt; not the tasks, whose functions may hold much. */
    private volatile List<TaskCounters> counters = List.of();

    private volatile long attempt;
    private volatile long restoredCheckpointId;
    private volatile Throwable failure;
    private volatile boolean cancelled;
    private volatile boolean drained;
    private boolean claimed;
    private CheckpointStore store;
    private CheckpointCoordinator coordinator;
    private CheckpointDriver driver;
    private Phase phase = Phase.STARTING;
    private JobState end = JobState.FAILED;
    private Attempt running;
    private long failedAtNs;
    private long deadlineNs;

    /**
     * A job that is not running yet.
     *
     * @param spec of the job.
     * @param transport between its tasks.
     * @param workers that run its tasks, at least one.
     * @param io threads that may block.
     * @param answers tells users what came of their requests.
     * @param clock of the engine.
     */
    public JobRunner(
            final JobSpec spec,
            final Transport transport,
            final List<Worker> workers,
            final Executor io,
            final Executor answers,
            final EpochNanoClock clock) {
        this.spec = spec;
        this.transport = transport;
        this.workers = workers;
        this.io = io;
        requests = new JobRequests(answers);
        this.clock = clock;
        jobName = spec.plan().jobName();
        backoff = new RestartBackoff(spec.restarts(), clock.nanoTime());
    }

    @Override
    public void run() {
        events.claim();
        try {
            while (!step()) {
                events.await(waitNs());
            }
        } catch (final Throwable e) { // a heap without room for the end of the job
            if (failure == null) {
                failure = e;
            }
            ended(JobState.FAILED);
        }
    }

    /**
     * One step of the job's thread, for who drives a job by hand and does not call {@link #run()}: answers what was heard since the
     * last one, starts and ends attempts. May block on the disk, as the job's thread may, but waits for nobody. One thread.
     *
     * @return whether the job has ended.
     */
    public boolean step() {
        try {
            switch (phase) {
                case STARTING -> start();
                case RUNNING -> stepAttempt();
                case DELAYED -> stepDelay();
                case CLOSING -> stepClosing();
                default -> {
                    // It has ended.
                }
            }
        } catch (final Throwable e) { // whatever it is, the job ends and whoever waits for it hears why
            if (running != null && running.fail(e)) {
                return false;
            }
            fail(e);
            if (phase == Phase.CLOSING) {
                closeStore(false);
            } else {
                beginClosing(JobState.FAILED);
            }
        }
        return phase == Phase.ENDED;
    }

    /**
     * Whether the job has ended, in whatever state. Of {@link #step()}'s thread.
     *
     * @return true if so.
     */
    public boolean isEnded() {
        return phase == Phase.ENDED;
    }

    /**
     * Waits for the end of the job.
     *
     * @throws InterruptedException if the waiting thread is interrupted.
     */
    public void awaitEnd() throws InterruptedException {
        done.await();
    }

    /**
     * Why the job failed.
     *
     * @return null unless it did.
     */
    public Throwable failure() {
        return failure;
    }

    /**
     * Whether the last stop request came to nothing, and the job went on.
     *
     * @return true if so.
     */
    public boolean hasStopFailed() {
        return requests.hasStopFailed();
    }

    /**
     * Whether the job has stopped and its input was ended for that, so that nothing is left to go on with.
     *
     * @return true if so.
     */
    public boolean isDrained() {
        return drained;
    }

    /**
     * Asks for a checkpoint now.
     *
     * @return its id, or a {@link io.weir.engine.api.CheckpointException}.
     */
    public CompletableFuture<Long> trigger() {
        final Request request = requests.add();
        events.put(new JobEvent.TriggerRequested(request.id()));
        return request.answer().thenApply(Taken::checkpointId);
    }

    /**
     * Asks for a savepoint now.
     *
     * @param directory that it is made in, null for the job's checkpoint folder.
     * @param format of its state.
     * @return its folder, or a {@link io.weir.engine.api.CheckpointException}.
     */
    public CompletableFuture<Path> savepoint(final Path directory, final SavepointFormat format) {
        final Request request = requests.add(directory, format);
        events.put(new JobEvent.SavepointRequested(request.id()));
        return request.answer().thenApply(Taken::savepoint);
    }

    /**
     * Asks for a stop behind a last checkpoint.
     *
     * @param mode what becomes of the input.
     */
    public void stop(final StopMode mode) {
        requests.stopAsked();
        events.put(new JobEvent.StopRequested(
                mode == StopMode.DRAIN ? StopKind.DRAIN : StopKind.SUSPEND, CheckpointCoordinator.NO_REPLY));
    }

    /**
     * Asks for a stop behind a savepoint.
     *
     * @param directory that it is made in, null for the job's checkpoint folder.
     * @param format of its state.
     * @param mode what becomes of the input.
     * @return its folder, once the job has stopped, or a {@link io.weir.engine.api.CheckpointException}.
     */
    public CompletableFuture<Path> stopWithSavepoint(
            final Path directory, final SavepointFormat format, final StopMode mode) {
        requests.stopAsked();
        final Request request = requests.add(directory, format);
        events.put(new JobEvent.StopRequested(
                mode == StopMode.DRAIN ? StopKind.DRAIN_WITH_SAVEPOINT : StopKind.SUSPEND_WITH_SAVEPOINT,
                request.id()));
        return request.answer().thenApply(Taken::savepoint);
    }

    /** Ends the job without a further checkpoint, for good: its checkpoints go where they are not to be retained. */
    public void cancel() {
        cancelled = true;
        events.put(new JobEvent.CancelRequested());
    }

    /** Ends the job without a further checkpoint; a later run goes on from the newest. */
    public void suspend() {
        events.put(new JobEvent.CancelRequested());
    }

    /**
     * The job as of now.
     *
     * @return its status.
     */
    public JobStatus status() {
        final TreeMap<String, Long> sums = new TreeMap<>();
        for (final TaskCounters ofTask : counters) {
            ofTask.addTo(sums);
        }
        return new JobStatus(
                jobName,
                state,
                attempt,
                restoredCheckpointId,
                state == JobState.FAILED ? TaskException.reason(failure) : null,
                restarts.newest(),
                restarts.count(),
                statistics.read(),
                sums,
                TaskCounters.skipped(sums),
                events.skippedFirst());
    }

    /** How long the next step can wait if nothing is heard. */
    private long waitNs() {
        return switch (phase) {
            case RUNNING -> running.waitNs();
            case DELAYED -> Math.max(0, deadlineNs - clock.nanoTime());
            case CLOSING -> CLOSE_WAIT_NS;
            default -> 0;
        };
    }

    private void start() {
        store = spec.storage().open(jobName);
        if (spec.restore().path() != null) {
            store.adopt(spec.restore().path(), false);
        }
        final Deployment deployment = deployOrEnd();
        if (deployment != null) {
            begin(deployment);
        }
    }

    private void begin(final Deployment deployment) {
        if (spec.restore().isClaimed() && !claimed) {
            // Not before the job is known to take it: what is refused stays with its owner.
            store.adopt(spec.restore().path(), true);
            claimed = true;
        }
        final List<Task> tasks = deployment.tasks();
        counters = tasks.stream().map(Task::counters).toList();
        state = JobState.RUNNING;
        running = new Attempt(jobName, Math.toIntExact(attempt), tasks, workers, driver, events, clock);
        phase = Phase.RUNNING;
        running.begin();
    }

    private void stepAttempt() {
        if (running.step()) {
            final Attempt.End attemptEnd = running.end();
            running = null; // what its functions held may have filled the heap
            ended(attemptEnd);
        }
    }

    private void ended(final Attempt.End attemptEnd) {
        if (attemptEnd.state() != JobState.RESTARTING) {
            if (attemptEnd.cause() != null) {
                fail(attemptEnd.cause());
            }
            beginClosing(attemptEnd.state());
            return;
        }
        failedAtNs = clock.nanoTime();
        final long delayNs = isPermanent(attemptEnd.cause()) ? RestartBackoff.GIVE_UP : backoff.onFailure(failedAtNs);
        if (delayNs == RestartBackoff.GIVE_UP) {
            fail(attemptEnd.cause());
            beginClosing(JobState.FAILED);
            return;
        }
        state = JobState.RESTARTING;
        LOGGER.log(Level.WARNING, "job restarts: name=" + jobName + " attempt=" + attempt, attemptEnd.cause());
        restarts.failed(attempt, TaskException.reason(attemptEnd.cause()));
        deadlineNs = failedAtNs + delayNs;
        phase = Phase.DELAYED;
    }

    private void stepDelay() {
        if (clock.nanoTime() >= deadlineNs) {
            startAgain();
            return;
        }
        for (JobEvent event; (event = events.poll()) != null; ) {
            if (CheckpointDriver.isEndOf(event)) {
                beginClosing(JobState.CANCELLED);
                return;
            }
            if (driver == null) { // no attempt has begun yet
                requests.refuseBetweenAttempts(event, jobName);
            } else {
                driver.onBetweenAttempts(event, clock.nanoTime());
            }
        }
    }

    private void startAgain() {
        final Deployment deployment = deployOrEnd();
        if (deployment != null) {
            restarts.runsAgain(restoredCheckpointId, clock.nanoTime() - failedAtNs);
            begin(deployment);
        }
    }

    /** Null after a failure: a disk, or whatever a function opens, may answer the next time. */
    private Deployment deployOrEnd() {
        try {
            return deploy();
        } catch (final RuntimeException | Error e) {
            // Later on, what the attempt before held may lack for a moment still.
            final boolean isTooLarge = restarts.count() == 0 && e.getCause() instanceof NoRoomException;
            ended(new Attempt.End(isTooLarge ? JobState.FAILED : JobState.RESTARTING, e));
            return null;
        }
    }

    private Deployment deploy() {
        final int newAttempt = Math.toIntExact(store.nextAttempt());
        attempt = newAttempt;
        final RestorePlan restore = RestorePlan.newest(store, spec.plan(), spec.backend(), permissions());
        restoredCheckpointId = restore.checkpointId();
        final TaskSettings settings = new TaskSettings(
                jobName, newAttempt, spec.plan().maxParallelism(), spec.barriers(), store, io, events, clock);
        final Deployment deployment =
                Deployment.open(spec.plan(), settings, transport, spec.backend(), restore, clock.nanoTime());
        if (coordinator == null) {
            coordinator = new CheckpointCoordinator(
                    spec.checkpoints(),
                    deployment.topology(),
                    new CheckpointHistory(store.nextCheckpointId(), store.completed()),
                    newAttempt);
            driver = new CheckpointDriver(spec, coordinator, store, statistics, events, requests, io);
        } else {
            driver.restarted(newAttempt, clock.nanoTime());
        }
        LOGGER.log(
                Level.INFO,
                "job started: name={0} attempt={1} checkpoint={2} tasks={3}",
                jobName,
                Integer.toString(newAttempt),
                Long.toString(restoredCheckpointId),
                deployment.tasks().size());
        if (restore.isFinished()) {
            LOGGER.log(
                    Level.INFO,
                    "job has nothing to do: name={0} all its sources had ended in checkpoint={1}; for what came later"
                            + " take another checkpoint folder, or a source that does not end",
                    jobName,
                    Long.toString(restoredCheckpointId));
        }
        return deployment;
    }

    /** What is in flight in the checkpoints that the job has taken itself is never dropped. */
    private RestoreOptions permissions() {
        final List<Long> completed = store.completed();
        final boolean isAdopted = !completed.isEmpty() && store.isAdopted(completed.get(completed.size() - 1));
        return new RestoreOptions(
                spec.restore().isUnmatchedStateAllowed(), spec.restore().isInFlightDropped() && isAdopted);
    }

    private void fail(final Throwable cause) {
        if (failure == null) {
            failure = cause;
        } else if (failure != cause) { // the JVM has a few errors for full heaps and throws them again
            failure.addSuppressed(cause);
        }
    }

    private void beginClosing(final JobState endState) {
        end = endState;
        phase = Phase.CLOSING;
        deadlineNs = clock.nanoTime() + CLOSE_DEADLINE_NS;
        try {
            if (driver != null && endState == JobState.CANCELLED && cancelled) {
                driver.cancelled(clock.nanoTime());
            } else if (driver != null) {
                driver.shutdown(clock.nanoTime());
            }
        } catch (final RuntimeException e) {
            fail(e);
        }
    }

    private void stepClosing() {
        // Events of a closing attempt wake this thread but are answered no more.
        if (events.poll() instanceof JobEvent.Failed failed) {
            LOGGER.log(Level.DEBUG, "failure while closing: job=" + jobName, failed.cause());
        }
        if (driver == null || driver.isQuiet()) {
            closeStore(true);
        } else if (clock.nanoTime() > deadlineNs) {
            fail(new IllegalStateException("job " + jobName + ": checkpoint files did not come to rest in time"));
            closeStore(false);
        }
    }

    private void closeStore(final boolean isQuiet) {
        try {
            if (store == null || isQuiet) {
                CloseHelper.close(store);
            } else {
                // Whoever uses it still holds it, perhaps for ever: this thread must not wait for that.
                io.execute(this::closeStoreLate);
            }
        } catch (final RuntimeException e) {
            fail(e);
        }
        ended(failure == null ? end : JobState.FAILED);
        LOGGER.log(Level.INFO, "job ended: name={0} state={1}", jobName, state);
    }

    private void ended(final JobState endState) {
        drained = endState == JobState.STOPPED && driver.hasDrained();
        state = endState;
        phase = Phase.ENDED;
        try {
            if (endState == JobState.STOPPED) {
                driver.stopped();
            }
            requests.end("job " + jobName + " has ended: " + endState
                    + (failure == null ? "" : ", " + TaskException.reason(failure)));
        } finally {
            done.countDown();
        }
    }

    private void closeStoreLate() {
        try {
            store.close();
        } catch (final RuntimeException e) {
            LOGGER.log(Level.WARNING, "checkpoint store not closed: job=" + jobName, e);
        }
    }

    /**
     * Whether a restart would only bring the failure back: damage, bad input, what does not fit, code that is broken. What fills the
     * heap may be what this attempt held.
     */
    private static boolean isPermanent(final Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if ((cause instanceof Error && !(cause instanceof OutOfMemoryError))
                    || cause instanceof CorruptionException
                    || cause instanceof StateException
                    || cause instanceof RecoveryException
                    || (cause instanceof LogException log && log.isPermanent())
                    || (cause instanceof TaskException task && task.isPermanent())) {
                return true;
            }
        }
        return false;
    }

    /** Where the job's thread stands. */
    private enum Phase {
        STARTING,
        RUNNING,
        /** Between a failed attempt and the next. */
        DELAYED,
        CLOSING,
        ENDED
    }
}
