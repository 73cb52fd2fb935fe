package io.weir.engine.barrier;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Checkpoints whose cut was made and whose channel state is not closed yet. Only the last one can still capture inputs; others
 * wait for their barriers to leave the outboxes. Here is the sender's side of the late switch: a barrier that is still in
 * an outbox at the timeout overtakes there, since the receiver may be waiting for it.
 */
final class CutCheckpoints {
    private final BarrierSettings settings;
    private final BarrierDecision decision;
    private final List<OpenCheckpoint> cut = new ArrayList<>();
    private OpenCheckpoint capturing;

    CutCheckpoints(BarrierSettings settings, BarrierDecision decision) {
        this.settings = settings;
        this.decision = decision;
    }

    boolean isEmpty() {
        return cut.isEmpty();
    }

    /** Adds one whose snapshot is being taken. */
    void add(OpenCheckpoint checkpoint) {
        assert capturing == null : "two checkpoints capture";
        cut.add(checkpoint);
        capturing = checkpoint.isFullyCounted() ? null : checkpoint;
    }

    /** The checkpoint whose inputs are captured, or null. */
    OpenCheckpoint capturing() {
        return capturing;
    }

    boolean isCapturing(int channelIndex) {
        return capturing != null && capturing.isCapturing(channelIndex);
    }

    long readLimit(int channelIndex) {
        return capturing == null ? Long.MAX_VALUE : capturing.readLimit(channelIndex);
    }

    BarrierOutcome onTaken(long checkpointId, IntToLongFunction cursors, long outputBytes, long nowNs) {
        OpenCheckpoint taken = find(checkpointId);
        if (taken == null) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        taken.taken(cursors, settings.captureSliceLength(), nowNs, decision);
        return persisted(taken, outputBytes, BarrierOutcome.SNAPSHOT_TAKEN, nowNs);
    }

    BarrierOutcome onFailed(long checkpointId) {
        OpenCheckpoint failed = find(checkpointId);
        if (failed == null) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        forget(failed);
        return BarrierOutcome.SNAPSHOT_FAILED;
    }

    BarrierOutcome onCaptured(int channelIndex, long checkpointId, long position, long bytes, long nowNs) {
        if (!isCapturing(channelIndex) || checkpointId != capturing.checkpointId()) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        capturing.captured(channelIndex, position, decision);
        return persisted(capturing, bytes, BarrierOutcome.CAPTURED, nowNs);
    }

    BarrierOutcome onBarrierAhead(int channelIndex, long checkpointId, long nowNs) {
        if (!isCapturing(channelIndex)) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        if (checkpointId < capturing.checkpointId()) {
            return BarrierOutcome.IGNORED_LATE_BARRIER;
        }
        if (checkpointId > capturing.checkpointId()) {
            giveUp(capturing, AbortReason.SUBSUMED);
            return BarrierOutcome.ABORTED;
        }
        return endCapture(channelIndex, nowNs);
    }

    BarrierOutcome onCancellationAhead(int channelIndex, long checkpointId) {
        if (!isCapturing(channelIndex)) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        if (checkpointId < capturing.checkpointId()) {
            return BarrierOutcome.IGNORED_LATE_CANCELLATION;
        }
        boolean same = checkpointId == capturing.checkpointId();
        giveUp(capturing, same ? AbortReason.CANCELLATION : AbortReason.SUBSUMED);
        return BarrierOutcome.ABORTED;
    }

    /** The channel's barrier or end was met, with all before it captured. */
    BarrierOutcome endCapture(int channelIndex, long nowNs) {
        if (!isCapturing(channelIndex)) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        capturing.endCapture(channelIndex, nowNs);
        return closeIfDone(capturing, BarrierOutcome.CAPTURE_ENDED, nowNs);
    }

    BarrierOutcome onAnnounced(long nowNs) {
        return closeIfDone(capturing, BarrierOutcome.ANNOUNCED, nowNs);
    }

    /** The barrier left the outbox, or overtook these bytes there. */
    BarrierOutcome onSent(int outputIndex, long checkpointId, long bytes, long nowNs) {
        OpenCheckpoint sent = find(checkpointId);
        if (sent == null || !sent.hasUnsent(outputIndex)) {
            return BarrierOutcome.IGNORED_LATE_ANSWER;
        }
        sent.sent(outputIndex);
        return persisted(sent, bytes, BarrierOutcome.BARRIER_SENT, nowNs);
    }

    /** Tells whether the checkpoint was one of these. */
    boolean abort(long checkpointId) {
        OpenCheckpoint aborted = find(checkpointId);
        if (aborted == null) {
            return false;
        }
        giveUp(aborted, AbortReason.COORDINATOR);
        return true;
    }

    /** No cancellation follows the barrier that was sent. */
    void giveUp(OpenCheckpoint checkpoint, AbortReason reason) {
        // The abort comes first, so that what ends by it can tell why.
        decision.add(new BarrierAction.Abort(checkpoint.checkpointId(), reason));
        forget(checkpoint);
    }

    long deadlineNs() {
        long deadlineNs = Long.MAX_VALUE;
        for (int i = 0, size = cut.size(); i < size; i++) {
            if (cut.get(i).awaitsOutputs()) {
                deadlineNs = Math.min(deadlineNs, cut.get(i).deadlineNs());
            }
        }
        return deadlineNs;
    }

    BarrierOutcome onTime(long nowNs) {
        BarrierOutcome outcome = BarrierOutcome.IGNORED_EARLY_TIME;
        for (int i = 0, size = cut.size(); i < size; i++) {
            OpenCheckpoint checkpoint = cut.get(i);
            if (checkpoint.awaitsOutputs() && nowNs >= checkpoint.deadlineNs()) {
                checkpoint.overtakeUnsent(decision);
                outcome = BarrierOutcome.OVERTAKING;
            }
        }
        return outcome;
    }

    private OpenCheckpoint find(long checkpointId) {
        for (int i = 0, size = cut.size(); i < size; i++) {
            if (cut.get(i).checkpointId() == checkpointId) {
                return cut.get(i);
            }
        }
        return null;
    }

    private void forget(OpenCheckpoint checkpoint) {
        checkpoint.stopCapture(decision);
        cut.remove(checkpoint);
        if (checkpoint == capturing) {
            capturing = null;
        }
    }

    private BarrierOutcome persisted(OpenCheckpoint checkpoint, long bytes, BarrierOutcome otherwise, long nowNs) {
        checkpoint.meter().persisted(bytes);
        if (checkpoint.meter().persistedBytes() > settings.maxChannelStateBytes()) {
            giveUp(checkpoint, AbortReason.CHANNEL_STATE_LIMIT);
            return BarrierOutcome.CHANNEL_STATE_LIMIT_EXCEEDED;
        }
        return closeIfDone(checkpoint, otherwise, nowNs);
    }

    private BarrierOutcome closeIfDone(OpenCheckpoint checkpoint, BarrierOutcome otherwise, long nowNs) {
        if (checkpoint == capturing && checkpoint.isCaptured()) {
            capturing = null;
        }
        if (!checkpoint.isClosed()) {
            return otherwise;
        }
        cut.remove(checkpoint);
        decision.add(new BarrierAction.ChannelStateClosed(checkpoint.checkpointId(), checkpoint.metrics(nowNs)));
        return BarrierOutcome.CHANNEL_STATE_CLOSED;
    }
}
