package io.weir.engine.recovery;

import io.weir.engine.status.JobState;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskState;
import io.weir.engine.worker.Worker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;

/**
 * One attempt of a job: its tasks run on the workers until they have finished, one fails, or the user ends them. A machine that
 * is stepped: it waits for nothing. The job's thread.
 */
final class Attempt {
    private static final Logger LOGGER = System.getLogger(Attempt.class.getName());
    private static final long MAX_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long CLOSE_DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    private final String jobName;
    private final int attempt;
    private final List<Task> tasks;
    private final List<Worker> workers;
    private final CheckpointDriver driver;
    private final JobEvents events;
    private final EpochNanoClock clock;
    private End end;
    private int settled;
    private final BitSet closed = new BitSet();
    private boolean settling;
    private boolean isClosing;
    private long closeDeadlineNs = Long.MAX_VALUE;
    private int removed;
    private Throwable thrown;

    /**
     * An attempt whose tasks are open and not running yet.
     *
     */
    Attempt(
            final String jobName,
            final int attempt,
            final List<Task> tasks,
            final List<Worker> workers,
            final CheckpointDriver driver,
            final JobEvents events,
            final EpochNanoClock clock) {
        this.jobName = jobName;
        this.attempt = attempt;
        this.tasks = tasks;
        this.workers = workers;
        this.driver = driver;
        this.events = events;
        this.clock = clock;
    }

    /** Hands the tasks over to the workers. */
    void begin() {
        for (int i = 0; i < tasks.size(); i++) {
            workers.get(i % workers.size()).add(tasks.get(i), attempt, events);
        }
        driver.begin(tasks, attempt, clock.nanoTime());
    }

    /**
     * Answers what was heard, and decides. Never waits.
     *
     * @return whether the attempt is over: its tasks are closed and nothing of them runs any more.
     */
    boolean step() {
        final long nowNs = clock.nanoTime();
        if (isClosing) {
            return stepOfClosing(nowNs);
        }
        if (thrown != null) {
            end = new End(JobState.FAILED, thrown);
        }
        if (end != null) {
            beginClosing();
            return stepOfClosing(nowNs);
        }
        driver.tick(nowNs);
        for (JobEvent event; end == null && (event = events.poll()) != null; ) {
            on(event, nowNs);
        }
        if (end == null) {
            decide();
        }
        if (end == null) {
            return false;
        }
        beginClosing();
        return stepOfClosing(clock.nanoTime());
    }

    /** How long the next step can wait if nothing is heard. */
    long waitNs() {
        return end == null
                ? Math.min(MAX_WAIT_NS, Math.max(0, driver.nextDeadlineNs() - clock.nanoTime()))
                : CLOSE_WAIT_NS;
    }

    /** How the attempt ended, null so far. */
    End end() {
        return end;
    }

    private void decide() {
        if (driver.failure() != null) {
            end = new End(JobState.RESTARTING, new TaskException(driver.failure(), null));
        } else if (driver.haveAllFinished() && !driver.isStoring()) {
            end = new End(JobState.FINISHED, null);
        } else if (driver.stopAnswer() == CheckpointDriver.JobEnd.STOP && !settling) {
            settling = true;
            tasks.forEach(Task::settle);
        } else if (driver.stopAnswer() == CheckpointDriver.JobEnd.STOP_FAILED) {
            driver.forgetStopAnswer();
        }
        if (settling && settled == tasks.size()) {
            end = new End(JobState.STOPPED, null);
        }
    }

    private void on(final JobEvent event, final long nowNs) {
        if (event instanceof JobEvent.Acknowledged acknowledged) {
            driver.acknowledged(acknowledged, nowNs);
        } else if (event instanceof JobEvent.Declined declined) {
            driver.declined(declined, nowNs);
        } else if (event instanceof JobEvent.AwaitsFinal awaits) {
            driver.awaitsFinal(awaits, nowNs);
        } else if (event instanceof JobEvent.Finished finished) {
            driver.finished(finished, nowNs);
        } else if (event instanceof JobEvent.Stored stored) {
            driver.stored(stored.checkpointId(), nowNs);
        } else if (event instanceof JobEvent.StoreFailed failed) {
            LOGGER.log(Level.WARNING, "checkpoint not stored: id=" + failed.checkpointId(), failed.cause());
            driver.storeFailed(failed, nowNs);
        } else if (event instanceof JobEvent.SavepointPrepared prepared) {
            driver.savepointPrepared(prepared, nowNs);
        } else if (event instanceof JobEvent.SavepointUnprepared unprepared) {
            driver.savepointUnprepared(unprepared, nowNs);
        } else if (event instanceof JobEvent.Deleted) {
            driver.deleted(nowNs);
        } else if (event instanceof JobEvent.CaughtUp caughtUp) {
            driver.caughtUp(caughtUp, nowNs);
        } else if (event instanceof JobEvent.TriggerRequested request) {
            driver.triggerRequested(request.requestId(), nowNs);
        } else if (event instanceof JobEvent.SavepointRequested request) {
            driver.savepointRequested(request.requestId(), nowNs);
        } else if (event instanceof JobEvent.StopRequested request) {
            driver.stopRequested(request, nowNs);
        } else if (event instanceof JobEvent.CancelRequested) {
            end = new End(JobState.CANCELLED, null);
        } else if (event instanceof JobEvent.Settled done && done.attempt() == attempt) {
            settled++;
        } else if (event instanceof JobEvent.Failed failed && failed.attempt() == attempt) {
            end = new End(JobState.RESTARTING, failed(failed));
        } else if (event instanceof JobEvent.GivenUp hanging && hanging.attempt() == attempt) {
            givenUp(hanging);
        }
    }

    private static Throwable failed(final JobEvent.Failed failed) {
        return failed.cause() instanceof TaskException
                ? failed.cause()
                : new TaskException(
                        "task " + failed.task().display() + " failed: " + TaskException.reason(failed.cause()),
                        failed.cause());
    }

    /** Part of the attempt goes on running for ever perhaps, so no other may follow. */
    private void givenUp(final JobEvent.GivenUp hanging) {
        end = new End(JobState.FAILED, hanging.cause());
        closed.set(hanging.task().index());
    }

    /**
     * The job's own thread met something that is no task's: nobody knows what it was about to tell them, so the job ends behind
     * them. Allocates nothing, for the heap may be full.
     *
     * @return false if the attempt can't be closed: it was tried.
     */
    boolean fail(final Throwable cause) {
        final boolean mayTryAgain = cause instanceof OutOfMemoryError && clock.nanoTime() <= closeDeadlineNs;
        if (thrown != null || isClosing) {
            return mayTryAgain;
        }
        thrown = cause;
        return true;
    }

    private void beginClosing() {
        isClosing = true;
        closeDeadlineNs = clock.nanoTime() + CLOSE_DEADLINE_NS;
        driver.beginEnd(clock.nanoTime());
    }

    private void removeTasks() {
        for (; removed < tasks.size(); removed++) {
            workers.get(removed % workers.size()).remove(tasks.get(removed));
        }
    }

    /** Over when all tasks are closed, nothing of them runs, and a manifest on its way to the disk has arrived or not. */
    private boolean stepOfClosing(final long nowNs) {
        removeTasks();
        for (JobEvent event; (event = events.poll()) != null; ) {
            onWhileClosing(event);
        }
        // What this thread threw may have been the order to store.
        final boolean isStored = !driver.isStoring() || (thrown != null && driver.isQuiet());
        if (closed.cardinality() == tasks.size() && isStored && areQuiet()) {
            driver.end();
            return true;
        }
        if (nowNs > closeDeadlineNs) {
            throw new IllegalStateException("job " + jobName + ": tasks did not stop in time: "
                    + tasks.stream()
                            .filter(task -> !task.isQuiet() || task.state() != TaskState.CLOSED)
                            .map(task -> task.id().display())
                            .toList());
        }
        return false;
    }

    private boolean areQuiet() {
        for (final Task task : tasks) {
            if (!task.isQuiet()) {
                return false;
            }
        }
        return true;
    }

    private void onWhileClosing(final JobEvent event) {
        if (event instanceof JobEvent.Closed one && one.attempt() == attempt) {
            closed.set(one.task().index());
        } else if (event instanceof JobEvent.Stored stored) {
            driver.stored(stored.checkpointId(), clock.nanoTime());
        } else if (event instanceof JobEvent.StoreFailed failed) {
            driver.storeFailed(failed, clock.nanoTime());
        } else if (event instanceof JobEvent.GivenUp hanging && hanging.attempt() == attempt) {
            givenUp(hanging);
        } else if (event instanceof JobEvent.Failed failed && failed.attempt() == attempt) {
            // Most fail since a peer was closed before them.
            LOGGER.log(
                    Level.DEBUG,
                    "task failed while its attempt was closed: job=" + jobName + " task="
                            + failed.task().display(),
                    failed.cause());
        } else if (end.state == JobState.RESTARTING && CheckpointDriver.isEndOf(event)) {
            end = new End(JobState.CANCELLED, null);
        } else {
            driver.onBetweenAttempts(event, clock.nanoTime());
        }
    }

    /** How an attempt ended: RESTARTING stands for a failure. */
    record End(JobState state, Throwable cause) {}
}
