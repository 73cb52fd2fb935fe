package io.weir.engine.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointCoordinatorTest {
    private static final BitSet BOTH = BitSet.valueOf(new long[] {3});

    @ParameterizedTest(name = "{2} after {1}")
    @CsvSource(delimiter = '|', textBlock = """
    | run | ACCEPTED
    | run run | DUPLICATE_NOTICE
    | run tick | NOTHING_DUE
    | run req | TRIGGERED
    interval=10 | run +10 tick | TRIGGERED
    interval=10 | run +10 tick +10 tick | WAITS_FOR_SLOT
    | run req req | WAITS_FOR_SLOT
    interval=10 pause=10 concurrent=2 | run +10 tick +10 tick | WAITS_FOR_PAUSE
    interval=10 pause=50 | run +10 tick ack1/0 ack1/1 stored1 +10 tick | WAITS_FOR_PAUSE
    timeout=10 | run req +10 tick | EXPIRED
    | req | REFUSED_NOT_RUNNING
    | stop | REFUSED_NOT_RUNNING
    | run stop req | REFUSED_ENDING
    | run fin0 fin1 req | REFUSED_ENDING
    | run req ack1/0 | ACKNOWLEDGED
    | run req ack1/0 ack1/1 | LAST_ACKNOWLEDGED
    | run req ack1/0 ack1/0 | DUPLICATE_ACKNOWLEDGE
    | run req ack1/0 ack1/1 stored1 ack1/1 | DUPLICATE_ACKNOWLEDGE
    | run req dec1/1 ack1/0 | LATE_ACKNOWLEDGE
    | run req ack2/0 | UNKNOWN_CHECKPOINT
    | run req ack1/2 | UNKNOWN_TASK
    | run req dec1/2 | UNKNOWN_TASK
    | run req oldack1/0 | OTHER_ATTEMPT
    | run req dec1/0 | DECLINED
    | run req dec1/0 dec1/1 | LATE_DECLINE
    | run req ack1/0 dec1/0 | LATE_DECLINE
    | run req ack1/0 ack1/1 stored1 | COMPLETED
    | run req ack1/0 ack1/1 storefail1 | STORE_FAILED
    | run req ack1/0 ack1/1 storeunknown1 | STORE_FAILED
    | run req ack1/0 ack1/1 stored2 | UNKNOWN_STORE
    | run req stored1 | UNKNOWN_STORE
    | run req storefail1 | UNKNOWN_STORE
    | run fin0 | TASK_ENDING
    | run fin0 fin0 | DUPLICATE_NOTICE
    | run await0 | TASK_ENDING
    | run await0 await0 | DUPLICATE_NOTICE
    | run fin0 await0 | DUPLICATE_NOTICE
    | run fin0 fin1 stop | STOPPED
    | run shutdown tick | IGNORED_SHUT_DOWN
    | run shutdown run | IGNORED_SHUT_DOWN
    | run shutdown stop | IGNORED_SHUT_DOWN
    | run shutdown restart | IGNORED_SHUT_DOWN
    | run req shutdown ack1/0 | IGNORED_SHUT_DOWN
    """)
    void shouldNameAndCountWhatBecameOfAnEvent(String settings, String events, CoordinatorOutcome expected) {
        CoordinatorScript script = new CoordinatorScript("2", settings == null ? "" : settings);
        int before = events.lastIndexOf(' ');
        if (before > 0) {
            script.play(events.substring(0, before));
        }
        long count = script.coordinator().count(expected);

        script.play(events.substring(before + 1));

        assertEquals(expected, script.coordinator().outcome());
        assertEquals(count + 1, script.coordinator().count(expected));
    }

    @ParameterizedTest(name = "{1} after {0}")
    @CsvSource(delimiter = '|', textBlock = """
    tick | STARTING
    run | RUNNING
    run req dec1/0 | FAILED
    run req dec1/0 restart | STARTING
    run stop | STOPPING
    run stop dec1/0(task_not_ready) | RUNNING
    run stop ack1/0 stored1 | STOPPED
    run stop ack1/0 stored1 restart | STARTING
    run stop shutdown | SHUT_DOWN
    """)
    void shouldShowWhereTheCheckpointsStand(String events, CoordinatorState expected) {
        CoordinatorScript script = new CoordinatorScript("1", "");

        script.play(events);

        assertEquals(expected, script.coordinator().state());
    }

    @ParameterizedTest(name = "{2} after {1}")
    @CsvSource(delimiter = '|', textBlock = """
    interval=10 | tick | never
    interval=10 | run | 10
    interval=10 timeout=100 | run +10 tick | 100
    interval=10 timeout=100 concurrent=2 | run +10 tick | 10
    interval=10 timeout=100 concurrent=2 pause=1 | run +10 tick | 100
    interval=10 timeout=100 | run +10 tick +30 tick | 70
    interval=10 timeout=100 | run +10 tick ack1/0 | never
    interval=10 timeout=100 | run +10 tick ack1/0 stored1 | 10
    interval=10 timeout=100 pause=25 | run +10 tick ack1/0 stored1 +5 | 20
    interval=10 timeout=100 pause=25 | run +10 tick ack1/0 stored1 +15 tick | 10
    interval=10 tolerable=1 | run await0 dec1/0 | 10
    tolerable=1 pause=30 | run await0 dec1/0 | 30
    timeout=100 | run | never
    timeout=100 | run req | 100
    timeout=100 tolerable=1 | run req dec1/0 | never
    timeout=100 | run stop +40 | 60
    interval=10 | run fin0 | never
    interval=10 | run stop ack1/0 stored1 | never
    interval=10 timeout=100 | run +10 tick shutdown | never
    interval=10 | run +10 tick restart | never
    """)
    void shouldTellWhenItIsToBeTickedNext(String settings, String events, String expected) {
        CoordinatorScript script = new CoordinatorScript("1", settings);

        script.play(events);

        assertEquals(expected, script.nextDeadline());
    }

    @Test
    void shouldTriggerAllTasksOfACheckpointWithOneTimeFc75() {
        CheckpointCoordinator coordinator = coordinator(CheckpointHistory.none());
        coordinator.onRunning(1_000);

        List<CoordinatorAction> actions = coordinator.onTriggerRequested(CheckpointCoordinator.NO_REPLY, 1_234);

        assertEquals(
                List.of(
                        new CoordinatorAction.TriggerTask(0, 1, 1_234, CheckpointKind.CHECKPOINT),
                        new CoordinatorAction.TriggerTask(1, 1, 1_234, CheckpointKind.CHECKPOINT)),
                actions);
        assertEquals(1, coordinator.pendingCount());
    }

    @Test
    void shouldCountFinishedTasksAsAcknowledgedFc143() {
        CoordinatorScript script = new CoordinatorScript("6", "");
        script.play("run fin0 fin2 fin4");

        script.play("req");

        assertEquals(3, script.coordinator().acknowledgedCount(1));
        assertEquals(-1, script.coordinator().acknowledgedCount(2));
    }

    @Test
    void shouldGoOnFromTheHistoryOfEarlierRuns() {
        CheckpointCoordinator coordinator = coordinator(new CheckpointHistory(43, List.of(17L, 40L)));
        assertEquals(40, coordinator.latestCompletedId());
        coordinator.onRunning(0);
        coordinator.onTriggerRequested(CheckpointCoordinator.NO_REPLY, 1);
        coordinator.onAcknowledge(0, 0, 43, 2);
        coordinator.onAcknowledge(1, 0, 43, 2);

        List<CoordinatorAction> actions = coordinator.onStored(43, 3);

        assertEquals(
                List.of(
                        new CoordinatorAction.Complete(43),
                        new CoordinatorAction.Drop(17),
                        new CoordinatorAction.Drop(40)),
                actions);
        assertEquals(43, coordinator.latestCompletedId());
        assertEquals(44, coordinator.nextCheckpointId());
    }

    @Test
    void shouldSayWhichAttemptALateAcknowledgementCameFrom() {
        CheckpointCoordinator coordinator = coordinator(CheckpointHistory.none());
        coordinator.onRunning(0);
        coordinator.onTriggerRequested(CheckpointCoordinator.NO_REPLY, 1);
        coordinator.onRestarted(BOTH, 1, 2);

        List<CoordinatorAction> actions = coordinator.onAcknowledge(1, 0, 1, 3);

        assertEquals(List.of(new CoordinatorAction.DiscardLate(1, 0, 1)), actions);
    }

    @Test
    void shouldNotRestartWhileItIsOpenWhichCheckpointIsTheNewest() {
        CoordinatorScript script = new CoordinatorScript("1", "");
        script.play("run req ack1/0");
        assertTrue(script.coordinator().isStoring());

        assertThrows(
                IllegalStateException.class,
                () -> script.coordinator().onRestarted(BitSet.valueOf(new long[] {1}), 9, 0));
        script.play("stored1");

        assertFalse(script.coordinator().isStoring());
        assertEquals("restart", script.play("restart"));
    }

    @Test
    void shouldRefuseTheLastRequestBeyondABoundFc87() {
        CoordinatorScript script = new CoordinatorScript("1", "unaligned=1");
        script.play("run req:trig1/0");
        for (int request = 1; request <= WaitingRequests.MAX_WAITING; request++) {
            assertEquals("req" + request, script.play("req" + request));
        }

        assertEquals("req5000:failed5000(too_many_requests)", script.play("req5000"));
        assertEquals("sp5001:failed" + WaitingRequests.MAX_WAITING + "(too_many_requests)", script.play("sp5001"));
        for (int request = 1; request < WaitingRequests.MAX_WAITING; request++) {
            script.play("sp" + (6_000 + request));
        }

        assertEquals("sp7000:failed7000(too_many_requests)", script.play("sp7000"));
    }

    @Test
    void shouldForgetTheOldestAbortedCheckpointsBeyondABound() {
        CoordinatorScript script = new CoordinatorScript("1", "");
        script.play("run");
        int aborts = PastCheckpoints.MAX_REMEMBERED_ABORTS + 1;
        for (int id = 1; id <= aborts; id++) {
            script.play("req dec" + id + "/0(subsumed)");
        }

        script.play("ack1/0");
        assertEquals(CoordinatorOutcome.UNKNOWN_CHECKPOINT, script.coordinator().outcome());
        script.play("ack2/0");
        assertEquals(CoordinatorOutcome.LATE_ACKNOWLEDGE, script.coordinator().outcome());
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        CheckpointCoordinator coordinator = coordinator(CheckpointHistory.none());

        assertThrows(IllegalArgumentException.class, () -> coordinator.onRestarted(BOTH, 0, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> coordinator.onDecline(0, 0, 1, CheckpointFailureReason.STORE_OUTCOME_UNKNOWN, 0));
        assertThrows(
                IllegalArgumentException.class, () -> coordinator.onStoreFailed(1, CheckpointFailureReason.EXPIRED, 0));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointHistory(3, List.of(1L, 3L)));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointHistory(3, List.of(2L, 1L)));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(-1, 1, 0, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(0, 0, 0, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(0, 1, -1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(0, 1, 0, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(0, 1, 0, 1, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(0, 1, 0, 1, 0, 0));
    }

    private static CheckpointCoordinator coordinator(CheckpointHistory history) {
        CheckpointSettings settings = new CheckpointSettings(CheckpointSettings.NO_INTERVAL, 1_000, 0, 1, 0, 1);
        return new CheckpointCoordinator(settings, CoordinatorScript.topology("2"), history, 0);
    }
}
