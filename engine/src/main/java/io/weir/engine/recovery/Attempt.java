package io.weir.engine.recovery;

import io.weir.engine.status.JobState;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskState;
import io.weir.engine.worker.Workers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;

/**
 * One attempt of a job: its tasks run on the workers until they have finished, one fails, or the user ends them. The job's
 * thread.
 */
final class Attempt {
    private static final Logger LOGGER = System.getLogger(Attempt.class.getName());
    private static final long MAX_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long CLOSE_DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    private final String jobName;
    private final int attempt;
    private final List<Task> tasks;
    private final Workers workers;
    private final CheckpointDriver driver;
    private final JobEvents events;
    private final EpochNanoClock clock;
    private final Runnable stopFailed;
    private End end;
    private int settled;
    private int closed;
    private boolean settling;

    /**
     * An attempt whose tasks are open and not running yet.
     *
     * @param stopFailed hears when a stop request came to nothing.
     */
    Attempt(
            final String jobName,
            final int attempt,
            final List<Task> tasks,
            final Workers workers,
            final CheckpointDriver driver,
            final JobEvents events,
            final EpochNanoClock clock,
            final Runnable stopFailed) {
        this.jobName = jobName;
        this.attempt = attempt;
        this.tasks = tasks;
        this.workers = workers;
        this.driver = driver;
        this.events = events;
        this.clock = clock;
        this.stopFailed = stopFailed;
    }

    /** Runs the attempt to its end, and closes its tasks. */
    End run() {
        for (int i = 0; i < tasks.size(); i++) {
            workers.worker(i % workers.count()).add(tasks.get(i), attempt, events);
        }
        driver.begin(tasks, attempt, clock.nanoTime());
        while (end == null) {
            step();
        }
        close();
        return end;
    }

    private void step() {
        long nowNs = clock.nanoTime();
        driver.tick(nowNs);
        events.await(Math.min(MAX_WAIT_NS, Math.max(0, driver.nextDeadlineNs() - nowNs)));
        nowNs = clock.nanoTime();
        for (JobEvent event; end == null && (event = events.poll()) != null; ) {
            on(event, nowNs);
        }
        if (end == null) {
            decide();
        }
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
            stopFailed.run();
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
        } else if (event instanceof JobEvent.TriggerRequested) {
            driver.triggerRequested(nowNs);
        } else if (event instanceof JobEvent.StopRequested) {
            driver.stopRequested(nowNs);
        } else if (event instanceof JobEvent.CancelRequested) {
            end = new End(JobState.CANCELLED, null);
        } else if (event instanceof JobEvent.Settled done && done.attempt() == attempt) {
            settled++;
        } else if (event instanceof JobEvent.Failed failed && failed.attempt() == attempt) {
            end = new End(JobState.RESTARTING, failed(failed));
        }
    }

    private Throwable failed(final JobEvent.Failed failed) {
        return failed.cause() instanceof TaskException || failed.cause() instanceof Error
                ? failed.cause()
                : new TaskException(
                        "task " + failed.task().display() + " failed: " + TaskException.reason(failed.cause()),
                        failed.cause());
    }

    /** Closes all tasks and waits until nothing of them runs and a manifest on its way to the disk has arrived or not. */
    private void close() {
        driver.beginEnd(clock.nanoTime());
        for (int i = 0; i < tasks.size(); i++) {
            workers.worker(i % workers.count()).remove(tasks.get(i));
        }
        final long deadlineNs = clock.nanoTime() + CLOSE_DEADLINE_NS;
        while (closed < tasks.size() || driver.isStoring() || !areQuiet()) {
            if (clock.nanoTime() > deadlineNs) {
                throw new IllegalStateException("job " + jobName + ": tasks did not stop in time: "
                        + tasks.stream()
                                .filter(task -> !task.isQuiet() || task.state() != TaskState.CLOSED)
                                .map(task -> task.id().display())
                                .toList());
            }
            events.await(CLOSE_WAIT_NS);
            for (JobEvent event; (event = events.poll()) != null; ) {
                onWhileClosing(event);
            }
        }
        driver.end();
    }

    private boolean areQuiet() {
        return tasks.stream().allMatch(Task::isQuiet);
    }

    private void onWhileClosing(final JobEvent event) {
        if (event instanceof JobEvent.Closed one && one.attempt() == attempt) {
            closed++;
        } else if (event instanceof JobEvent.Stored stored) {
            driver.stored(stored.checkpointId(), clock.nanoTime());
        } else if (event instanceof JobEvent.StoreFailed failed) {
            driver.storeFailed(failed, clock.nanoTime());
        } else if (end.state == JobState.RESTARTING
                && (event instanceof JobEvent.CancelRequested || event instanceof JobEvent.StopRequested)) {
            end = new End(JobState.CANCELLED, null);
        }
    }

    /** How an attempt ended: RESTARTING stands for a failure. */
    record End(JobState state, Throwable cause) {}
}
