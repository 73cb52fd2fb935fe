package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.barrier.BarrierAction.Abort;
import io.weir.engine.barrier.BarrierAction.Capture;
import io.weir.engine.barrier.BarrierAction.ChannelStateClosed;
import io.weir.engine.barrier.BarrierAction.Snapshot;
import io.weir.engine.barrier.BarrierAction.StopCapture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slices, limits and discipline of channel state; two inputs whose cursors are at 1000 and 2000, two outputs. */
class ChannelStateTest {
    private static final int FIXED = BarrierOptions.positionFixed(BarrierOptions.UNALIGNED);
    private static final int TIMEOUT = BarrierOptions.ALIGNED_WITH_TIMEOUT;
    private static final long LIMIT = 500;

    private final BarrierHandler handler = handler(0);

    private static BarrierHandler handler(long alignmentTimeoutNs) {
        return new BarrierSettings(CheckpointingMode.EXACTLY_ONCE, true, alignmentTimeoutNs, LIMIT, 100)
                .handler(BarrierChannels.of(2, 2));
    }

    @Test
    void shouldCaptureFromTheCursorsInBoundedSlices() {
        assertEquals(List.of(new Capture(0, 1, 1_000, 1_100), new Capture(1, 1, 2_000, 2_100)), openChannelState());

        assertEquals(List.of(new Capture(0, 1, 1_060, 1_160)), handler.onCaptured(0, 1, 1_060, 50, 1));
        assertEquals(List.of(new Capture(0, 1, 1_180, 1_280)), handler.onCaptured(0, 1, 1_180, 90, 1));
        assertEquals(BarrierState.CAPTURING, handler.state());
        assertTrue(handler.hasOpenChannelState());
    }

    @Test
    void shouldEndSlicesAtTheAnnouncedPosition() {
        handler.onAnnouncement(0, 1, 0, FIXED, 1_250, 1);
        assertEquals(new Capture(0, 1, 1_000, 1_100), taken(handler, 0).get(0));

        assertEquals(List.of(new Capture(0, 1, 1_110, 1_210)), handler.onCaptured(0, 1, 1_110, 110, 1));
        assertEquals(List.of(new Capture(0, 1, 1_210, 1_250)), handler.onCaptured(0, 1, 1_210, 100, 1));
        assertEquals(List.of(), handler.onCaptured(0, 1, 1_250, 40, 1));
        assertEquals(BarrierOutcome.CAPTURED, handler.outcome());
        assertInstanceOf(
                ChannelStateClosed.class,
                handler.onAnnouncement(1, 1, 0, FIXED, 2_000, 1).get(1));
        assertEquals(BarrierState.WAITING, handler.state());
    }

    @Test
    void shouldReplaceASliceThatReachesBeyondThePositionThatBecomesKnown() {
        openChannelState();

        assertEquals(List.of(new Capture(0, 1, 1_000, 1_064)), handler.onAnnouncement(0, 1, 0, FIXED, 1_064, 1));
        assertEquals(List.of(), handler.onAnnouncement(1, 1, 0, FIXED, 2_500, 1));
        assertEquals(List.of(), handler.onAnnouncement(1, 1, 0, BarrierOptions.UNALIGNED, 9, 1));
    }

    @Test
    void shouldStopTheSliceWhenAllIsCapturedUpToThePositionThatBecomesKnown() {
        openChannelState();
        handler.onCaptured(0, 1, 1_064, 64, 1);

        assertEquals(List.of(new StopCapture(0, 1)), handler.onAnnouncement(0, 1, 0, FIXED, 1_064, 1));
    }

    @Test
    void shouldLetOnlyBeReadWhatIsCaptured() {
        openChannelState();
        assertEquals(1_000, handler.readLimit(0));
        assertEquals(2_000, handler.readLimit(1));

        handler.onCaptured(0, 1, 1_064, 64, 1);
        assertEquals(1_064, handler.readLimit(0));
        handler.onBarrierAhead(0, 1, 1);
        assertEquals(Long.MAX_VALUE, handler.readLimit(0));
        handler.onAbort(1);
        assertEquals(Long.MAX_VALUE, handler.readLimit(1));
    }

    @Test
    void shouldTellTheAbortBeforeTheCaptureStopsFc46() {
        openChannelState();

        List<BarrierAction> actions = handler.onCancellation(1, 1, 1);

        assertEquals(
                List.of(new Abort(1, AbortReason.CANCELLATION), new StopCapture(0, 1), new StopCapture(1, 1)), actions);
        assertFalse(handler.hasOpenChannelState());
    }

    @Test
    void shouldIgnoreAnswersForWhatIsNotOpenFc73() {
        assertEquals(List.of(), handler.onCaptured(0, 1, 1_064, 64, 1));
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, handler.outcome());
        openChannelState();
        handler.onBarrierAhead(0, 1, 1);

        handler.onCaptured(0, 1, 1_064, 64, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, handler.outcome(), "behind its barrier");
        handler.onCaptured(1, 7, 2_064, 64, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, handler.outcome(), "for a checkpoint that was not begun");
        handler.onAbort(1);
        handler.onCaptured(1, 1, 2_064, 64, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, handler.outcome(), "behind the abort");
        handler.onSnapshotTaken(1, channel -> 0, 0, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, handler.outcome(), "taken, behind the abort");
        assertEquals(List.of(), handler.onAbort(99));
        assertEquals(BarrierOutcome.ABORT_REMEMBERED, handler.outcome());
    }

    @Test
    void shouldRefuseACaptureThatGoesBack() {
        openChannelState();
        handler.onCaptured(0, 1, 1_064, 64, 1);

        assertThrows(IllegalArgumentException.class, () -> handler.onCaptured(0, 1, 1_064, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> handler.onCaptured(2, 1, 1_064, 0, 1));
    }

    @Test
    void shouldGiveUpACheckpointWhoseChannelStateGrowsPastTheLimit() {
        openChannelState();
        handler.onCaptured(0, 1, 1_300, 300, 1);

        List<BarrierAction> actions = handler.onCaptured(1, 1, 2_201, LIMIT - 300 + 1, 1);

        assertEquals(new Capture(1, 1, 2_201, 2_301), actions.get(0));
        assertEquals(new Abort(1, AbortReason.CHANNEL_STATE_LIMIT), actions.get(1));
        assertEquals(List.of(new StopCapture(0, 1), new StopCapture(1, 1)), actions.subList(2, 4));
        assertEquals(BarrierOutcome.CHANNEL_STATE_LIMIT_EXCEEDED, handler.outcome());
        assertFalse(handler.hasOpenChannelState());
    }

    @Test
    void shouldTakeTheNextCheckpointAfterOneThatWasTooLarge() {
        openChannelState();
        handler.onCaptured(0, 1, 1_600, LIMIT + 1, 1);

        handler.onBarrier(0, 1, 0, BarrierOptions.UNALIGNED, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_BARRIER, handler.outcome());
        handler.onBarrier(0, 2, 0, BarrierOptions.UNALIGNED, 1);
        handler.onSnapshotTaken(2, channel -> 2_000, LIMIT, 1);
        assertEquals(
                new ChannelStateClosed(2, new BarrierMetrics(1, 0, 0, LIMIT, 0, 0, true)),
                handler.onBarrierAhead(1, 2, 1).get(0));
    }

    @Test
    void shouldCountOutputsToTheLimit() {
        handler.onBarrier(0, 1, 0, BarrierOptions.UNALIGNED, 1);

        List<BarrierAction> actions = handler.onSnapshotTaken(1, channel -> 0, LIMIT + 1, 1);

        assertTrue(actions.contains(new Abort(1, AbortReason.CHANNEL_STATE_LIMIT)), actions::toString);
    }

    @Test
    void shouldCountOutputsThatAreOvertakenLateToTheLimit() {
        BarrierHandler timed = handler(50);
        timed.onBarrier(0, 1, 0, TIMEOUT, 1);
        timed.onBarrier(1, 1, 0, TIMEOUT, 1);
        taken(timed, 0);

        assertEquals(2, timed.onTime(50).size());
        assertEquals(BarrierOutcome.OVERTAKING, timed.outcome());
        assertEquals(List.of(), timed.onOvertaken(0, 1, LIMIT, 50));
        assertEquals(List.of(new Abort(1, AbortReason.CHANNEL_STATE_LIMIT)), timed.onOvertaken(1, 1, 1, 50));
    }

    @Test
    void shouldForgetASnapshotThatFailed() {
        handler.onBarrier(0, 1, 0, BarrierOptions.UNALIGNED, 1);

        assertEquals(List.of(), handler.onSnapshotFailed(1, 1));
        assertEquals(BarrierOutcome.SNAPSHOT_FAILED, handler.outcome());
        assertFalse(handler.hasOpenChannelState());
        assertEquals(BarrierState.WAITING, handler.state());
        handler.onBarrier(1, 1, 0, BarrierOptions.UNALIGNED, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_BARRIER, handler.outcome());
        assertInstanceOf(
                Snapshot.class,
                handler.onBarrier(1, 2, 0, BarrierOptions.UNALIGNED, 1).get(0));
    }

    @Test
    void shouldAwaitNoOutputsOnceTheyHaveEnded() {
        BarrierHandler timed = handler(50);
        timed.onOutputsEnded();
        timed.onBarrier(0, 1, 0, TIMEOUT, 1);
        timed.onBarrier(1, 1, 0, TIMEOUT, 1);

        assertInstanceOf(
                ChannelStateClosed.class,
                timed.onSnapshotTaken(1, channel -> 0, 0, 1).get(0));
    }

    @Test
    void shouldIgnoreWhatWasSentTwice() {
        BarrierHandler timed = handler(50);
        timed.onBarrier(0, 1, 0, TIMEOUT, 1);
        timed.onBarrier(1, 1, 0, TIMEOUT, 1);
        taken(timed, 0);

        timed.onBarrierSent(0, 1, 1);
        assertEquals(BarrierOutcome.BARRIER_SENT, timed.outcome());
        timed.onBarrierSent(0, 1, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, timed.outcome());
        timed.onBarrierSent(0, 9, 1);
        assertEquals(BarrierOutcome.IGNORED_LATE_ANSWER, timed.outcome());
        timed.onBarrierSent(1, 1, 1);
        assertEquals(BarrierOutcome.CHANNEL_STATE_CLOSED, timed.outcome());
    }

    @Test
    void shouldTellWhenTimeIsWanted() {
        BarrierHandler timed = handler(50);
        assertEquals(Long.MAX_VALUE, timed.deadlineNs());
        timed.onBarrier(0, 1, 100, TIMEOUT, 110);
        assertEquals(150, timed.deadlineNs());
        timed.onTime(149);
        assertEquals(BarrierOutcome.IGNORED_EARLY_TIME, timed.outcome());

        timed.onBarrier(1, 1, 100, TIMEOUT, 120);
        taken(timed, 0);
        assertEquals(150, timed.deadlineNs(), "while barriers are in outboxes");
        timed.onBarrierSent(0, 1, 1);
        timed.onBarrierSent(1, 1, 1);
        assertEquals(Long.MAX_VALUE, timed.deadlineNs());
    }

    private List<BarrierAction> openChannelState() {
        handler.onAnnouncement(0, 1, 0, BarrierOptions.UNALIGNED, 0, 1);
        assertEquals(BarrierOutcome.SNAPSHOT, handler.outcome());
        return taken(handler, 0);
    }

    private static List<BarrierAction> taken(BarrierHandler handler, long outputBytes) {
        return handler.onSnapshotTaken(1, channel -> 1_000L * (channel + 1), outputBytes, 1);
    }
}
