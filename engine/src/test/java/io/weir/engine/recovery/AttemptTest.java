package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.MapFunction;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.Restore;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.CheckpointCoordinator;
import io.weir.engine.coordinator.CheckpointHistory;
import io.weir.engine.coordinator.CheckpointSettings;
import io.weir.engine.coordinator.StopKind;
import io.weir.engine.status.CheckpointStatistics;
import io.weir.engine.status.JobState;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskListener.Decline;
import io.weir.engine.task.TaskState;
import io.weir.engine.worker.Workers;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.SnapshotException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How an attempt ends. A worker runs the tasks, the test's thread is the job's and calls the store; what happens while a
 * checkpoint is being stored happens inside that call.
 */
final class AttemptTest {
    private static final int OTHER_ATTEMPT = DeployedTasks.ATTEMPT - 1;

    private final AtomicLong nowNs = new AtomicLong();
    private final JobEvents events = new JobEvents();
    private final WatchedStore store = new WatchedStore("small");
    private final CheckpointStatistics statistics = new CheckpointStatistics();
    private EpochNanoClock clock = nowNs::get;
    private Executor storing = Runnable::run;
    private final JobRequests requests = new JobRequests(Runnable::run);
    private boolean isStopToFail;
    private DeployedTasks job;
    private Workers workers;

    @AfterEach
    void close() {
        workers.close();
        job.close();
        store.close();
    }

    @Test
    void shouldCloseAllTasksWhenItIsCancelled() {
        events.put(new JobEvent.CancelRequested());

        final Attempt.End end = run(MemoryLog.unbounded(2));

        assertEquals(JobState.CANCELLED, end.state());
        assertNull(end.cause());
        assertEquals(List.of(), store.take());
        assertAllClosed();
    }

    @Test
    void shouldFinishBehindAFinalCheckpoint() {
        final Attempt.End end = run(MemoryLog.bounded(2));

        assertEquals(JobState.FINISHED, end.state());
        assertEquals(1, statistics.read().completed());
        assertAllClosed();
    }

    @Test
    void shouldStopBehindALastCheckpoint() {
        events.put(new JobEvent.StopRequested(StopKind.SUSPEND, CheckpointCoordinator.NO_REPLY));

        final Attempt.End end = run(MemoryLog.unbounded(2));

        assertEquals(JobState.STOPPED, end.state());
        assertEquals(List.of("publish 1"), store.take());
        assertEquals(List.of(1L), store.completed());
        assertAllClosed();
    }

    @Test
    void shouldGoOnWhenAStopCameToNothing() {
        store.before(call -> {
            if (call.equals("publish 1")) {
                throw new SnapshotException("no room");
            }
        });
        final AtomicLong told = new AtomicLong();
        isStopToFail = true;
        final JobRequests.Request request = requests.add();
        final CompletableFuture<?> answered = request.answer().whenComplete((taken, failure) -> {
            assertTrue(failure.getMessage().contains("no room"), failure::getMessage);
            told.incrementAndGet();
            events.put(new JobEvent.StopRequested(StopKind.SUSPEND, CheckpointCoordinator.NO_REPLY));
        });
        events.put(new JobEvent.StopRequested(StopKind.SUSPEND, request.id()));

        final Attempt.End end = run(MemoryLog.unbounded(2));

        assertEquals(JobState.STOPPED, end.state());
        assertTrue(answered.isDone());
        assertEquals(1, told.get());
        assertEquals(List.of("publish 1", "delete 1", "publish 2"), store.take());
    }

    @Test
    void shouldFailWithTheNameOfTheTaskAndTheReason() {
        job = job(MemoryLog.unbounded(2), value -> {
            throw new IllegalStateException("bad value " + value);
        });
        job.add(1, 7);

        final Attempt.End end = run();

        assertEquals(JobState.RESTARTING, end.state());
        assertTrue(end.cause().getMessage().contains("bad value 7"), end.cause()::getMessage);
        assertAllClosed();
    }

    @Test
    void shouldHearOfFailuresOfItsOwnTasksOnly() {
        job = job(MemoryLog.unbounded(2), value -> value);
        events.put(failure(OTHER_ATTEMPT, new IllegalStateException("older")));
        events.put(failure(DeployedTasks.ATTEMPT, new IllegalStateException("own")));

        final Attempt.End end = run();

        assertEquals(JobState.RESTARTING, end.state());
        assertEquals("task read -> map (1/2) failed: own", end.cause().getMessage());
        assertEquals(TaskException.class, end.cause().getClass());
    }

    @Test
    void shouldNameTheTaskAndTheErrorThatItDiedOf() {
        final Error error = new AssertionError("broken");
        job = job(MemoryLog.unbounded(2), value -> value);
        events.put(failure(DeployedTasks.ATTEMPT, error));

        final Attempt.End end = run();

        assertEquals(
                "task read -> map (1/2) failed: AssertionError: broken",
                end.cause().getMessage());
        assertSame(error, end.cause().getCause());
    }

    @Test
    void shouldCompleteACheckpointThatIsBeingStoredWhenATaskFails() {
        job = job(MemoryLog.unbounded(2), value -> value);
        store.before(call -> events.put(failure(DeployedTasks.ATTEMPT, new IllegalStateException("own"))));
        events.put(new JobEvent.TriggerRequested(CheckpointCoordinator.NO_REPLY));

        final Attempt.End end = run();

        assertEquals(JobState.RESTARTING, end.state());
        assertEquals(List.of(1L), store.completed());
        assertEquals(1, statistics.read().completed());
        assertAllClosed();
    }

    @Test
    void shouldGiveUpACheckpointThatTheStoreRefusesWhileTheAttemptCloses() {
        job = job(MemoryLog.unbounded(2), value -> value);
        store.before(call -> {
            if (call.startsWith("publish")) {
                events.put(failure(DeployedTasks.ATTEMPT, new IllegalStateException("own")));
                throw new SnapshotException("no room");
            }
        });
        events.put(new JobEvent.TriggerRequested(CheckpointCoordinator.NO_REPLY));

        final Attempt.End end = run();

        assertEquals(JobState.RESTARTING, end.state());
        assertTrue(end.cause().getMessage().contains("own"), end.cause()::getMessage);
        assertEquals(List.of("publish 1", "delete 1"), store.take());
        assertEquals("STORE_FAILED: no room", statistics.read().lastAbortReason());
        assertAllClosed();
    }

    @Test
    void shouldEndForGoodWithoutATaskThatWasGivenUp() {
        job = job(MemoryLog.unbounded(2), value -> value);
        events.put(new JobEvent.GivenUp(job.task(0).id(), OTHER_ATTEMPT, new IllegalStateException("older")));
        events.put(failure(DeployedTasks.ATTEMPT, new IllegalStateException("hangs")));
        final Throwable givenUp = new IllegalStateException("given up");
        events.put(new JobEvent.GivenUp(job.task(0).id(), DeployedTasks.ATTEMPT, givenUp));

        final Attempt.End end = run();

        assertEquals(JobState.FAILED, end.state());
        assertSame(givenUp, end.cause());
    }

    @Test
    void shouldHearOfNothingThatTheTasksOfAnotherAttemptTell() {
        // given: a stop is asked for, and everything that an older attempt could still say comes in between (FC-81)
        job = job(MemoryLog.unbounded(2), value -> value);
        for (int task = 0; task < job.tasks().size(); task++) {
            final TaskId id = job.task(task).id();
            events.put(new JobEvent.Finished(id, OTHER_ATTEMPT));
            events.put(new JobEvent.AwaitsFinal(id, OTHER_ATTEMPT));
            events.put(new JobEvent.Settled(id, OTHER_ATTEMPT));
            events.put(new JobEvent.Closed(id, OTHER_ATTEMPT));
            events.put(new JobEvent.GivenUp(id, OTHER_ATTEMPT, new IllegalStateException("older")));
            events.put(failure(OTHER_ATTEMPT, new IllegalStateException("older")));
            events.put(new JobEvent.Declined(
                    id, OTHER_ATTEMPT, 1, new Decline(Decline.Reason.SNAPSHOT_FAILED, new IllegalStateException())));
        }
        events.put(new JobEvent.StopRequested(StopKind.SUSPEND, CheckpointCoordinator.NO_REPLY));

        // when
        final Attempt.End end = run();

        // then: its last checkpoint has completed and every task is closed
        assertEquals(JobState.STOPPED, end.state());
        assertEquals(List.of(1L), store.completed());
        assertAllClosed();
    }

    @Test
    void shouldBeCancelledAlsoWhileItClosesAfterAFailure() {
        job = job(MemoryLog.unbounded(2), value -> value);
        events.put(failure(DeployedTasks.ATTEMPT, new IllegalStateException("own")));
        events.put(new JobEvent.CancelRequested());

        assertEquals(JobState.CANCELLED, run().state());
    }

    @Test
    void shouldStayCancelledWhateverIsAskedForAfterwards() {
        job = job(MemoryLog.unbounded(2), value -> value);
        events.put(new JobEvent.CancelRequested());
        events.put(new JobEvent.StopRequested(StopKind.SUSPEND, CheckpointCoordinator.NO_REPLY));
        events.put(failure(DeployedTasks.ATTEMPT, new IllegalStateException("own")));

        assertEquals(JobState.CANCELLED, run().state());
        assertEquals(List.of(), store.take());
    }

    @Test
    void shouldNameWhatDidNotStopWhenTheStoreDoesNotAnswerInTime() {
        // given: a store under way that gives no answer, from when on a second passes with each look at the clock
        final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        storing = work -> {
            held.add(work);
            events.put(new JobEvent.CancelRequested());
        };
        clock = () -> held.isEmpty() ? nowNs.get() : nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        events.put(new JobEvent.TriggerRequested(CheckpointCoordinator.NO_REPLY));

        // when
        final IllegalStateException e = assertThrows(IllegalStateException.class, () -> run(MemoryLog.unbounded(2)));

        // then
        assertTrue(e.getMessage().startsWith("job small: tasks did not stop in time: "), e.getMessage());
        assertEquals(1, held.size());
    }

    private Attempt.End run(final MemoryLog input) {
        job = job(input, value -> value);
        return run();
    }

    private Attempt.End run() {
        workers = new Workers(1, false, job.transport(), clock, AttemptTest::fail);
        events.claim();
        final CheckpointCoordinator coordinator = new CheckpointCoordinator(
                new CheckpointSettings(
                        CheckpointSettings.NO_INTERVAL, TimeUnit.HOURS.toNanos(1), 0, 1, Integer.MAX_VALUE, 1),
                job.topology(),
                CheckpointHistory.none(),
                DeployedTasks.ATTEMPT);
        final CheckpointDriver driver = new CheckpointDriver(
                new JobSpec(
                        job.plan(),
                        null,
                        BarrierSettings.aligned(),
                        null,
                        new PagesStateBackend(),
                        RestartStrategy.none(),
                        Restore.newest()),
                coordinator,
                store,
                statistics,
                events,
                requests,
                storing);
        final Attempt attempt =
                new Attempt("small", DeployedTasks.ATTEMPT, job.tasks(), workers.all(), driver, events, clock);
        attempt.begin();
        while (!attempt.step()) {
            events.await(attempt.waitNs());
        }
        assertEquals(isStopToFail, requests.hasStopFailed(), "a stop that came to nothing");
        return attempt.end();
    }

    private DeployedTasks job(final MemoryLog input, final MapFunction<Long, Long> function) {
        return new DeployedTasks(input, store, function, Runnable::run, events);
    }

    private JobEvent failure(final int attempt, final Throwable cause) {
        return new JobEvent.Failed(job.task(0).id(), attempt, cause);
    }

    private void assertAllClosed() {
        job.tasks().forEach(task -> assertEquals(TaskState.CLOSED, task.state(), task.id()::display));
    }

    private static void fail(final Throwable error) {
        throw new AssertionError(error);
    }
}
