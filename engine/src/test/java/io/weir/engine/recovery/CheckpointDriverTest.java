package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.coordinator.CheckpointCoordinator;
import io.weir.engine.coordinator.StopKind;
import io.weir.engine.task.TaskListener.Decline;
import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.snapshot.SnapshotException;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the driver does with the store and the tasks, step by step: task 0 and 1 are sources, 2 and 3 write. */
final class CheckpointDriverTest {
    private static final JobEvent.StopRequested STOP =
            new JobEvent.StopRequested(StopKind.SUSPEND, CheckpointCoordinator.NO_REPLY);

    private final WatchedStore store = new WatchedStore("small");
    private DrivenTasks tasks = new DrivenTasks(store, MemoryLog.unbounded(2));

    @AfterEach
    void close() {
        tasks.close();
        store.close();
    }

    @Test
    void shouldPublishOnceAllPartsAreThereAndTellTheTasks() throws Exception {
        // given
        tasks.job().add(0, 7);
        tasks.job().run();
        tasks.checkpoint();
        assertTrue(tasks.driver().isStoring());
        assertEquals(0, tasks.job().outputCount());

        // when
        tasks.store();
        tasks.job().run();

        // then
        assertEquals(List.of("publish 1"), store.take());
        assertEquals(4, store.load(1).tasks().size());
        assertEquals(1, tasks.statistics().completed());
        assertEquals(1, tasks.job().outputCount(), "the writer has committed");
        assertFalse(tasks.driver().isStoring());
    }

    @Test
    void shouldPublishNothingBeforeTheLastPart() throws Exception {
        tasks.driver().triggerRequested(CheckpointCoordinator.NO_REPLY, 0);
        tasks.job().task(0).doWork(0);
        tasks.deliver();

        tasks.store();

        assertEquals(1, tasks.acknowledgements(0).size());
        assertEquals(List.of(), store.take());
        assertFalse(tasks.driver().isStoring());
    }

    @Test
    void shouldDeleteWhatTheStoreRefusedForSureAndGoOn() throws Exception {
        // given
        failNext("publish 1", () -> new SnapshotException("no room"));
        tasks.checkpoint();

        // when
        tasks.store();

        // then
        assertEquals(List.of("publish 1", "delete 1"), storeCalls());
        assertEquals("STORE_FAILED: no room", tasks.statistics().lastAbortReason());
        assertNull(tasks.driver().failure());

        // when: the next one can be stored
        tasks.checkpoint();
        tasks.store();

        // then
        assertEquals(List.of(2L), store.completed());
    }

    @Test
    void shouldDeleteNothingWhoseOutcomeIsUnknown() throws Exception {
        failNext("publish 1", () -> SnapshotException.outcomeUnknown("not forced", null));
        tasks.checkpoint();

        tasks.store();

        assertEquals(List.of("publish 1"), storeCalls());
        assertEquals("STORE_OUTCOME_UNKNOWN: not forced", tasks.statistics().lastAbortReason());
    }

    @Test
    void shouldTakeAnyOtherErrorOfTheStoreForAnUnknownOutcome() throws Exception {
        store.before(call -> {
            throw new AssertionError("broken");
        });
        tasks.checkpoint();

        tasks.store();

        assertFalse(tasks.driver().isStoring());
        assertEquals(List.of("publish 1"), storeCalls());
        assertTrue(
                tasks.statistics().lastAbortReason().startsWith("STORE_OUTCOME_UNKNOWN"),
                tasks.statistics().lastAbortReason());
    }

    @Test
    void shouldGoOnWhenNothingCanBeDeleted() throws Exception {
        // given: of completed checkpoints one is retained
        store.before(call -> {
            if (call.startsWith("delete")) {
                throw new CheckpointStorageException("read-only", null);
            }
        });
        tasks.checkpoint();
        tasks.store();
        tasks.checkpoint();

        // when
        tasks.store();

        // then
        assertEquals(List.of("publish 1", "publish 2", "delete 1"), storeCalls());
        assertTrue(tasks.driver().isQuiet());
        tasks.checkpoint();
        tasks.store();
        assertEquals(3, tasks.statistics().completed());
    }

    @Test
    void shouldFailTheJobWithTheReasonOnceMoreFailuresFollowThanAreTolerated() throws Exception {
        store.before(call -> {
            if (call.startsWith("publish")) {
                throw new SnapshotException("no room");
            }
        });
        tasks.checkpoint();
        tasks.store();
        assertNull(tasks.driver().failure());
        tasks.checkpoint();

        tasks.store();

        assertEquals(
                "checkpoint 2 failed and no more failures are tolerated: STORE_FAILED: no room",
                tasks.driver().failure());
    }

    @Test
    void shouldPublishOnceWhenAnAcknowledgementComesTwice() throws Exception {
        tasks.checkpoint();
        tasks.deliver(tasks.acknowledgements(2).get(0));
        tasks.store();

        tasks.deliver(tasks.acknowledgements(3).get(0));
        tasks.store();

        assertEquals(List.of("publish 1"), storeCalls());
        assertEquals(1, tasks.statistics().completed());
    }

    @Test
    void shouldDeleteAgainWhatALateAcknowledgementBringsToAnAbortedCheckpoint() throws Exception {
        // given: task 3 declines, and what the others say is still on its way
        tasks.driver().triggerRequested(CheckpointCoordinator.NO_REPLY, 0);
        tasks.deliver(decline(3, 1));
        tasks.store();
        assertEquals(List.of("delete 1"), storeCalls());

        // when
        tasks.deliver(acknowledgementOf(0, 1));
        tasks.store();

        // then
        assertEquals(List.of("delete 1"), storeCalls());
        assertEquals(1, tasks.statistics().aborted());
        assertEquals(
                "SNAPSHOT_FAILED by process -> write (2/2): no memory",
                tasks.statistics().lastAbortReason());
    }

    @Test
    void shouldHearNothingOfAnotherAttempt() throws Exception {
        // given: the job has restarted while acknowledgements of attempt 1 were on their way
        tasks.driver().triggerRequested(CheckpointCoordinator.NO_REPLY, 0);
        tasks.job().run();
        final int next = DeployedTasks.ATTEMPT + 1;
        tasks.driver().restarted(next, 0);
        tasks.driver().begin(tasks.job().tasks(), next, 0);
        tasks.driver().triggerRequested(CheckpointCoordinator.NO_REPLY, 0);

        // when
        tasks.deliver();
        tasks.store();

        // then: checkpoint 1 ended with its attempt, and 2 waits for the tasks of the new one
        assertEquals(
                4,
                tasks.heard().stream()
                        .filter(JobEvent.Acknowledged.class::isInstance)
                        .count());
        assertFalse(storeCalls().contains("publish 2"));
        assertFalse(tasks.driver().isStoring());
        assertEquals(List.of(), store.completed());
    }

    @Test
    void shouldNotGiveUpWhatIsOnItsWayToTheStore() throws Exception {
        // given
        tasks.checkpoint();

        // when: its timeout passes, and a task declines
        tasks.driver().tick(2 * DrivenTasks.TIMEOUT_NS);
        tasks.deliver(decline(2, 1));

        // then
        assertTrue(tasks.driver().isStoring());
        tasks.store();
        assertEquals(List.of("publish 1"), storeCalls());
        assertEquals(List.of(1L), store.completed());
        assertEquals(1, tasks.statistics().completed());
        assertEquals(0, tasks.statistics().aborted());
    }

    @Test
    void shouldStoreOneCheckpointAfterAnother() throws Exception {
        // given: two at once
        tasks.checkpoint();
        tasks.checkpoint();

        // when
        tasks.store();
        tasks.store();

        // then
        assertEquals(List.of("publish 1", "publish 2", "delete 1"), storeCalls());
        assertEquals(List.of(2L), store.completed());
    }

    @Test
    void shouldAskFinishedTasksForTheirLastState() throws Exception {
        finishSources();
        assertEquals(List.of(), storeCalls());

        tasks.job().run();
        tasks.deliver();
        tasks.store();

        assertEquals(4, store.load(1).tasks().size());
        assertEquals(1, tasks.statistics().completed());
    }

    @Test
    void shouldNotWaitForLastStatesThatWillNotComeOnceTheAttemptEnds() throws Exception {
        // given: all that run have acknowledged, the finished sources have not said anything yet
        finishSources();
        acknowledgeOnly(2, 3);
        assertTrue(tasks.driver().isStoring());

        // when
        tasks.driver().beginEnd(0);

        // then
        assertFalse(tasks.driver().isStoring());
        assertEquals(1, tasks.statistics().aborted());
        tasks.store();
        assertEquals(List.of("delete 1"), storeCalls());
    }

    @Test
    void shouldGiveUpACheckpointWhoseLastStateIsDeclined() throws Exception {
        finishSources();
        acknowledgeOnly(2, 3);

        tasks.deliver(decline(0, 1));

        assertFalse(tasks.driver().isStoring());
        assertTrue(
                tasks.statistics().lastAbortReason().endsWith("by read -> map (1/2): no memory"),
                tasks.statistics().lastAbortReason());
    }

    @Test
    void shouldWaitForAStoreThatIsUnderWayWhenTheAttemptEnds() throws Exception {
        tasks.checkpoint();

        tasks.driver().beginEnd(0);

        assertTrue(tasks.driver().isStoring());
        tasks.store();
        assertFalse(tasks.driver().isStoring());
        assertEquals(1, tasks.statistics().completed());
    }

    @Test
    void shouldAnswerAStopRequestWithItsLastCheckpoint() throws Exception {
        tasks.driver().stopRequested(STOP, 0);
        tasks.job().run();
        tasks.deliver();
        assertNull(tasks.driver().stopAnswer());

        tasks.store();

        assertEquals(CheckpointDriver.JobEnd.STOP, tasks.driver().stopAnswer());
    }

    @Test
    void shouldAnswerAStopRequestWithFailureWhenItsCheckpointIsNotStored() throws Exception {
        failNext("publish 1", () -> new SnapshotException("no room"));
        tasks.driver().stopRequested(STOP, 0);
        tasks.job().run();
        tasks.deliver();

        tasks.store();

        assertEquals(CheckpointDriver.JobEnd.STOP_FAILED, tasks.driver().stopAnswer());
        tasks.driver().forgetStopAnswer();
        assertNull(tasks.driver().stopAnswer());
    }

    private List<String> storeCalls() {
        tasks.store();
        return store.take();
    }

    private void failNext(final String failing, final Supplier<RuntimeException> failure) {
        store.before(call -> {
            if (call.equals(failing)) {
                throw failure.get();
            }
        });
    }

    /** Both sources have finished, and a final checkpoint is triggered for the writers. */
    private void finishSources() throws Exception {
        tasks.close();
        tasks = new DrivenTasks(store, MemoryLog.bounded(2));
        tasks.job().run();
        tasks.deliver();
    }

    /** Runs all tasks, and delivers what some of them say; the rest is lost. */
    private void acknowledgeOnly(final int... wanted) throws Exception {
        tasks.job().run();
        tasks.deliverOf(wanted);
    }

    private JobEvent decline(final int task, final long checkpointId) {
        return new JobEvent.Declined(
                tasks.job().task(task).id(),
                DeployedTasks.ATTEMPT,
                checkpointId,
                new Decline(Decline.Reason.SNAPSHOT_FAILED, new IllegalStateException("no memory")));
    }

    private JobEvent acknowledgementOf(final int task, final long checkpointId) {
        return new JobEvent.Acknowledged(
                tasks.job().task(task).id(), DeployedTasks.ATTEMPT, checkpointId, null, DeployedTasks.NO_COST);
    }
}
