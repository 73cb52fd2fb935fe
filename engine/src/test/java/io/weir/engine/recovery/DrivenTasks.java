package io.weir.engine.recovery;

import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.Restore;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.CheckpointCoordinator;
import io.weir.engine.coordinator.CheckpointHistory;
import io.weir.engine.coordinator.CheckpointSettings;
import io.weir.engine.status.CheckpointStatistics;
import io.weir.engine.status.CheckpointStatus;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A driver over the tasks of a small job, all by hand on one thread: the tasks run when they are told to, what they say is
 * heard when it is delivered, and the store is called when its work is run. No checkpoint comes by itself.
 */
final class DrivenTasks implements AutoCloseable {
    static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    static final int TOLERABLE_FAILURES = 1;

    private final ArrayDeque<Runnable> storing = new ArrayDeque<>();
    private final List<JobEvent> heard = new ArrayList<>();
    private final JobEvents events = new JobEvents();
    private final JobRequests requests = new JobRequests(Runnable::run);
    private final CheckpointStatistics statistics = new CheckpointStatistics();
    private final DeployedTasks job;
    private final CheckpointDriver driver;

    DrivenTasks(final WatchedStore store, final MemoryLog input) {
        job = new DeployedTasks(input, store, value -> value, Runnable::run, events);
        final CheckpointCoordinator coordinator = new CheckpointCoordinator(
                new CheckpointSettings(CheckpointSettings.NO_INTERVAL, TIMEOUT_NS, 0, 2, TOLERABLE_FAILURES, 1),
                job.topology(),
                CheckpointHistory.none(),
                DeployedTasks.ATTEMPT);
        final JobSpec spec = new JobSpec(
                job.plan(),
                null,
                BarrierSettings.aligned(),
                null,
                new PagesStateBackend(),
                RestartStrategy.none(),
                Restore.newest());
        driver = new CheckpointDriver(spec, coordinator, store, statistics, events, requests, storing::add);
        driver.begin(job.tasks(), DeployedTasks.ATTEMPT, 0);
    }

    DeployedTasks job() {
        return job;
    }

    CheckpointDriver driver() {
        return driver;
    }

    CheckpointStatus statistics() {
        return statistics.read();
    }

    /** What the driver has heard so far. */
    List<JobEvent> heard() {
        return heard;
    }

    /** Triggers a checkpoint, has all tasks take part, and delivers what they say. */
    void checkpoint() throws Exception {
        driver.triggerRequested(CheckpointCoordinator.NO_REPLY, 0);
        job.run();
        deliver();
    }

    /** Does what waits for the store, and delivers what it answers. */
    void store() {
        for (Runnable work; (work = storing.poll()) != null; ) {
            work.run();
        }
        deliver();
    }

    void deliver() {
        for (JobEvent event; (event = events.poll()) != null; ) {
            deliver(event);
        }
    }

    /** Delivers what some of the tasks acknowledge; all else that was said is lost. */
    void deliverOf(final int... wanted) {
        for (JobEvent event; (event = events.poll()) != null; ) {
            if (event instanceof JobEvent.Acknowledged acknowledged
                    && Arrays.stream(wanted)
                            .anyMatch(task -> task == acknowledged.task().index())) {
                deliver(event);
            }
        }
    }

    void deliver(final JobEvent event) {
        heard.add(event);
        if (event instanceof JobEvent.Acknowledged acknowledged) {
            driver.acknowledged(acknowledged, 0);
        } else if (event instanceof JobEvent.Declined declined) {
            driver.declined(declined, 0);
        } else if (event instanceof JobEvent.AwaitsFinal awaits) {
            driver.awaitsFinal(awaits, 0);
        } else if (event instanceof JobEvent.Finished finished) {
            driver.finished(finished, 0);
        } else if (event instanceof JobEvent.Stored stored) {
            driver.stored(stored.checkpointId(), 0);
        } else if (event instanceof JobEvent.Deleted) {
            driver.deleted(0);
        } else if (event instanceof JobEvent.CaughtUp caughtUp) {
            driver.caughtUp(caughtUp, 0);
        } else if (event instanceof JobEvent.SavepointPrepared prepared) {
            driver.savepointPrepared(prepared, 0);
        } else if (event instanceof JobEvent.SavepointUnprepared unprepared) {
            driver.savepointUnprepared(unprepared, 0);
        } else if (event instanceof JobEvent.StoreFailed failed) {
            driver.storeFailed(failed, 0);
        } else {
            throw new AssertionError("unexpected " + event);
        }
    }

    /** The acknowledgements that were heard, of one task. */
    List<JobEvent.Acknowledged> acknowledgements(final int task) {
        return heard.stream()
                .filter(JobEvent.Acknowledged.class::isInstance)
                .map(JobEvent.Acknowledged.class::cast)
                .filter(event -> event.task().index() == task)
                .toList();
    }

    @Override
    public void close() {
        job.close();
    }
}
