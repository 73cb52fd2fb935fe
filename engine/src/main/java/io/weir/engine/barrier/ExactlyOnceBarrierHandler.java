package io.weir.engine.barrier;

import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Exactly-once barriers of one task.
 *
 * <p><b>Aligned</b>, the first barrier of a checkpoint blocks its channel, the last brings the snapshot and unblocks all.
 * <b>Unaligned</b>, the first sign of the checkpoint brings the snapshot, and each channel's records between there and its
 * barrier are captured, ahead of processing. With a timeout a checkpoint is aligned at first, and past the timeout
 * unaligned; so it is too once a barrier comes that turned so upstream. Channels on edges that keep their order are never
 * captured: the cut waits for their barriers. At the cut all blocked channels are read again, also when others are still
 * awaited: what is behind their barrier is in no snapshot, and what is before those of the others is captured.
 *
 * <p>A newer barrier gives up an older open checkpoint; a late one leaves its channel open and is ignored, but for the
 * first of a checkpoint that was passed over, which is declined; the end of data of a channel stands for all its later
 * barriers. So a task that ends without a snapshot or decline of a checkpoint has met no barrier of it, and its final state
 * can stand for that snapshot. A cancellation is forwarded only in place of a barrier, never behind it.
 */
final class ExactlyOnceBarrierHandler implements BarrierHandler {
    private final BarrierSettings settings;
    private final InputChannels inputs;
    private final BitSet keptInputs;
    private final BitSet overtakableOutputs = new BitSet();
    private final CheckpointIds ids = new CheckpointIds();
    private final ClosingCheckpoints closing = new ClosingCheckpoints();
    private final BarrierDecision decision;
    private OpenCheckpoint open;
    private OpenCheckpoint held;
    private boolean restoring;
    private long processedBytes;

    /** Starts with all channels open and no checkpoint seen. */
    ExactlyOnceBarrierHandler(BarrierSettings settings, BarrierChannels channels) {
        this.settings = settings;
        this.inputs = new InputChannels(channels.inputs());
        this.keptInputs = (BitSet) channels.keptInputs().clone();
        this.overtakableOutputs.set(0, channels.outputs());
        this.overtakableOutputs.andNot(channels.keptOutputs());
        this.decision = new BarrierDecision(stateNow());
    }

    @Override
    public List<BarrierAction> onAnnouncement(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long position, long nowNs) {
        inputs.check(channelIndex);
        if (!settings.mayOvertake() || !BarrierOptions.mayOvertake(options) || keptInputs.get(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ALIGNED_MODE);
        }
        BarrierMark mark = new BarrierMark(checkpointId, triggerTimeNs, BarrierOptions.announced(options));
        BarrierOutcome refused = admit(channelIndex, mark, nowNs);
        if (refused != null) {
            return done(refused);
        }
        if (!open.mayOvertake()) {
            return done(BarrierOutcome.IGNORED_ALIGNED_MODE);
        }
        if (BarrierOptions.isPositionFixed(options)) {
            open.endAt(channelIndex, position, decision);
        }
        if (BarrierOptions.isUnaligned(options)) {
            open.turnUnaligned();
            open.arrive(channelIndex, nowNs, processedBytes);
        }
        return open.isCut()
                ? closeIfDone(open, BarrierOutcome.ANNOUNCED, nowNs)
                : cutIfReady(BarrierOutcome.ANNOUNCED, nowNs);
    }

    @Override
    public List<BarrierAction> onBarrier(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long nowNs) {
        inputs.check(channelIndex);
        BarrierOutcome refused = admit(channelIndex, new BarrierMark(checkpointId, triggerTimeNs, options), nowNs);
        if (refused != null) {
            return done(refused);
        }
        if (open.isCut()) {
            open.closeCapture(channelIndex, nowNs, processedBytes);
            return closeIfDone(open, BarrierOutcome.CAPTURE_ENDED, nowNs);
        }
        open.count(channelIndex, nowNs, processedBytes);
        if (BarrierOptions.isUnaligned(options)) {
            open.turnUnaligned();
        }
        if (isReady(nowNs)) {
            return cut(nowNs);
        }
        inputs.block(channelIndex, decision);
        return done(BarrierOutcome.BLOCKED);
    }

    @Override
    public List<BarrierAction> onCancellation(int channelIndex, long checkpointId, long nowNs) {
        inputs.check(channelIndex);
        if (inputs.isEnded(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        if (isPast(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_CANCELLATION);
        }
        if (checkpointId == ids.current()) {
            giveUp(open, AbortReason.CANCELLATION);
            return done(BarrierOutcome.ABORTED);
        }
        giveUpBefore(checkpointId);
        ids.moveTo(checkpointId);
        if (ids.takeAbort(checkpointId)) {
            decision.add(new BarrierAction.ForwardCancellation(checkpointId));
            return done(BarrierOutcome.CANCELLATION_FORWARDED);
        }
        decision.add(new BarrierAction.Abort(checkpointId, AbortReason.CANCELLATION));
        decision.add(new BarrierAction.ForwardCancellation(checkpointId));
        return done(BarrierOutcome.ABORTED);
    }

    @Override
    public List<BarrierAction> onEndOfData(int channelIndex, long nowNs) {
        inputs.check(channelIndex);
        if (inputs.isEnded(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        inputs.end(channelIndex);
        if (open == null) {
            return proceed(BarrierOutcome.CHANNEL_ENDED, nowNs);
        }
        if (open.isCut()) {
            open.closeCapture(channelIndex, nowNs, processedBytes);
            return closeIfDone(open, BarrierOutcome.CHANNEL_ENDED, nowNs);
        }
        open.count(channelIndex, nowNs, processedBytes);
        return cutIfReady(BarrierOutcome.CHANNEL_ENDED, nowNs);
    }

    @Override
    public List<BarrierAction> onAbort(long checkpointId) {
        OpenCheckpoint cut = closing.find(checkpointId);
        if (cut != null) {
            giveUp(cut, AbortReason.COORDINATOR);
            return done(BarrierOutcome.ABORTED);
        }
        if (isPast(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_ABORT);
        }
        if (checkpointId == ids.current()) {
            giveUp(open, AbortReason.COORDINATOR);
            return done(BarrierOutcome.ABORTED);
        }
        if (held != null && held.checkpointId() == checkpointId) {
            held = null;
            if (open == null) {
                ids.moveTo(checkpointId);
                decision.add(new BarrierAction.Abort(checkpointId, AbortReason.COORDINATOR));
                decision.add(new BarrierAction.ForwardCancellation(checkpointId));
                return done(BarrierOutcome.ABORTED);
            }
        }
        ids.rememberAbort(checkpointId);
        return done(BarrierOutcome.ABORT_REMEMBERED);
    }

    @Override
    public List<BarrierAction> onTrigger(long checkpointId, long triggerTimeNs, int options, long nowNs) {
        if (ids.isSkipped(checkpointId)) {
            return done(skip(checkpointId));
        }
        if (checkpointId <= ids.current() || (held != null && checkpointId <= held.checkpointId())) {
            return done(BarrierOutcome.IGNORED_LATE_TRIGGER);
        }
        if (ids.isAborted(checkpointId)) {
            if (open != null) {
                // A cancellation sent now would make receivers give up the older one that is still open here.
                return done(BarrierOutcome.IGNORED_ABORTED_TRIGGER);
            }
            giveUpHeldBefore(checkpointId);
            ids.moveTo(checkpointId);
            ids.takeAbort(checkpointId);
            decision.add(new BarrierAction.ForwardCancellation(checkpointId));
            return done(BarrierOutcome.CANCELLATION_FORWARDED);
        }
        giveUpHeldBefore(checkpointId);
        held = newCheckpoint(new BarrierMark(checkpointId, triggerTimeNs, options), nowNs);
        return proceed(BarrierOutcome.TRIGGER_HELD, nowNs);
    }

    @Override
    public List<BarrierAction> onTime(long nowNs) {
        BarrierOutcome outcome =
                closing.overtakeDue(nowNs, decision) ? BarrierOutcome.OVERTAKING : BarrierOutcome.IGNORED_EARLY_TIME;
        if (open != null && !open.isCut() && nowNs >= open.deadlineNs()) {
            return cutIfReady(BarrierOutcome.TURNED_UNALIGNED, nowNs);
        }
        return proceed(outcome, nowNs);
    }

    @Override
    public List<BarrierAction> onChannelStateRestoring() {
        restoring = true;
        return done(BarrierOutcome.RESTORING_CHANNEL_STATE);
    }

    @Override
    public List<BarrierAction> onChannelStateRestored(long nowNs) {
        restoring = false;
        return open != null && !open.isCut()
                ? cutIfReady(BarrierOutcome.RESTORING_CHANNEL_STATE, nowNs)
                : done(BarrierOutcome.RESTORING_CHANNEL_STATE);
    }

    @Override
    public List<BarrierAction> onSnapshotTaken(
            long checkpointId, IntToLongFunction cursors, long outputBytes, long nowNs) {
        OpenCheckpoint cut = closing.find(checkpointId);
        if (cut == null) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        cut.taken(cursors, settings.captureSliceLength(), nowNs, decision);
        return persisted(cut, outputBytes, BarrierOutcome.SNAPSHOT_TAKEN, nowNs);
    }

    @Override
    public List<BarrierAction> onSnapshotFailed(long checkpointId, long nowNs) {
        OpenCheckpoint cut = closing.find(checkpointId);
        if (cut == null) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        forget(cut);
        return proceed(BarrierOutcome.SNAPSHOT_FAILED, nowNs);
    }

    @Override
    public List<BarrierAction> onCaptured(int channelIndex, long checkpointId, long position, long bytes, long nowNs) {
        inputs.check(channelIndex);
        if (!isCapturing(channelIndex) || checkpointId != open.checkpointId()) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        open.capture().onCaptured(channelIndex, position, decision);
        return persisted(open, bytes, BarrierOutcome.CAPTURED, nowNs);
    }

    @Override
    public List<BarrierAction> onBarrierAhead(int channelIndex, long checkpointId, long nowNs) {
        inputs.check(channelIndex);
        if (!isCapturing(channelIndex)) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        if (checkpointId < open.checkpointId()) {
            return done(BarrierOutcome.IGNORED_LATE_BARRIER);
        }
        if (checkpointId > open.checkpointId()) {
            giveUp(open, AbortReason.SUBSUMED);
            return proceed(BarrierOutcome.ABORTED, nowNs);
        }
        open.closeCapture(channelIndex, nowNs, processedBytes);
        return closeIfDone(open, BarrierOutcome.CAPTURE_ENDED, nowNs);
    }

    @Override
    public List<BarrierAction> onCancellationAhead(int channelIndex, long checkpointId, long nowNs) {
        inputs.check(channelIndex);
        if (!isCapturing(channelIndex)) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        if (checkpointId < open.checkpointId()) {
            return done(BarrierOutcome.IGNORED_LATE_CANCELLATION);
        }
        giveUp(open, checkpointId == open.checkpointId() ? AbortReason.CANCELLATION : AbortReason.SUBSUMED);
        return proceed(BarrierOutcome.ABORTED, nowNs);
    }

    @Override
    public List<BarrierAction> onEndOfDataAhead(int channelIndex, long nowNs) {
        inputs.check(channelIndex);
        if (!isCapturing(channelIndex)) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        open.closeCapture(channelIndex, nowNs, processedBytes);
        return closeIfDone(open, BarrierOutcome.CAPTURE_ENDED, nowNs);
    }

    @Override
    public List<BarrierAction> onBarrierSent(int outputIndex, long checkpointId, long nowNs) {
        return onOvertaken(outputIndex, checkpointId, 0, nowNs);
    }

    @Override
    public List<BarrierAction> onOvertaken(int outputIndex, long checkpointId, long bytes, long nowNs) {
        OpenCheckpoint cut = closing.find(checkpointId);
        if (cut == null || !cut.hasUnsent(outputIndex)) {
            return done(BarrierOutcome.IGNORED_LATE_ANSWER);
        }
        cut.sent(outputIndex);
        return persisted(cut, bytes, BarrierOutcome.BARRIER_SENT, nowNs);
    }

    @Override
    public void onOutputsEnded() {
        overtakableOutputs.clear();
    }

    @Override
    public void onProcessed(long bytes) {
        processedBytes += bytes;
    }

    @Override
    public long deadlineNs() {
        OpenCheckpoint awaited = open != null ? open : held;
        long deadlineNs = awaited == null || awaited.isCut() ? Long.MAX_VALUE : awaited.deadlineNs();
        return Math.min(deadlineNs, closing.deadlineNs());
    }

    @Override
    public long readLimit(int channelIndex) {
        return open == null || open.capture() == null
                ? Long.MAX_VALUE
                : open.capture().readLimit(channelIndex);
    }

    @Override
    public boolean isBlocked(int channelIndex) {
        inputs.check(channelIndex);
        return inputs.isBlocked(channelIndex);
    }

    @Override
    public boolean hasRunningInputs() {
        return inputs.hasRunning();
    }

    @Override
    public boolean hasOpenChannelState() {
        return !closing.isEmpty();
    }

    @Override
    public BarrierState state() {
        return decision.state();
    }

    @Override
    public long currentCheckpointId() {
        return decision.currentCheckpointId();
    }

    @Override
    public BarrierOutcome outcome() {
        return decision.outcome();
    }

    @Override
    public long count(BarrierOutcome of) {
        return decision.count(of);
    }

    /** Makes the checkpoint of a barrier or announcement the open one, or says why not. */
    private BarrierOutcome admit(int channelIndex, BarrierMark mark, long nowNs) {
        long checkpointId = mark.checkpointId();
        if (inputs.isEnded(channelIndex)) {
            return BarrierOutcome.IGNORED_ENDED_CHANNEL;
        }
        if (ids.isSkipped(checkpointId)) {
            return skip(checkpointId);
        }
        if (isPast(checkpointId)) {
            return BarrierOutcome.IGNORED_LATE_BARRIER;
        }
        if (checkpointId == ids.current()) {
            boolean passed = open.isCut() ? !open.isCapturing(channelIndex) : open.isCounted(channelIndex);
            return passed ? BarrierOutcome.IGNORED_DUPLICATE_BARRIER : null;
        }
        giveUpBefore(checkpointId);
        ids.moveTo(checkpointId);
        if (ids.takeAbort(checkpointId)) {
            decision.add(new BarrierAction.ForwardCancellation(checkpointId));
            return BarrierOutcome.CANCELLATION_FORWARDED;
        }
        begin(newCheckpoint(mark, nowNs), nowNs);
        return null;
    }

    private OpenCheckpoint newCheckpoint(BarrierMark mark, long nowNs) {
        CheckpointMeter meter = new CheckpointMeter(mark.triggerTimeNs(), nowNs, processedBytes);
        return new OpenCheckpoint(mark, settings, inputs.count(), meter);
    }

    private void begin(OpenCheckpoint checkpoint, long nowNs) {
        open = checkpoint;
        open.countAll(inputs.ended(), nowNs, processedBytes);
    }

    private boolean isPast(long checkpointId) {
        return checkpointId < ids.current() || (checkpointId == ids.current() && open == null);
    }

    private boolean isCapturing(int channelIndex) {
        return open != null && open.isCapturing(channelIndex);
    }

    private BarrierOutcome skip(long checkpointId) {
        ids.remember(checkpointId);
        decision.add(new BarrierAction.Abort(checkpointId, AbortReason.SUBSUMED));
        return BarrierOutcome.SKIPPED;
    }

    private void giveUpBefore(long checkpointId) {
        if (open != null) {
            giveUp(open, AbortReason.SUBSUMED);
        }
        giveUpHeldBefore(checkpointId);
        if (held != null && held.checkpointId() == checkpointId) {
            held = null;
        }
    }

    private void giveUpHeldBefore(long checkpointId) {
        if (held != null && held.checkpointId() < checkpointId) {
            // No cancellation: what follows downstream is newer and says as much.
            decision.add(new BarrierAction.Abort(held.checkpointId(), AbortReason.SUBSUMED));
            // Should a barrier of it come yet, then a cancellation follows, but no snapshot and no second decline.
            ids.remember(held.checkpointId());
            ids.rememberAbort(held.checkpointId());
            held = null;
        }
    }

    private void giveUp(OpenCheckpoint checkpoint, AbortReason reason) {
        // The abort comes first, so that what ends by it can tell why.
        decision.add(new BarrierAction.Abort(checkpoint.checkpointId(), reason));
        if (!checkpoint.isCut()) {
            decision.add(new BarrierAction.ForwardCancellation(checkpoint.checkpointId()));
            inputs.unblockAll(decision);
        }
        forget(checkpoint);
    }

    private void forget(OpenCheckpoint checkpoint) {
        checkpoint.stopCapture(decision);
        closing.remove(checkpoint);
        if (checkpoint == open) {
            open = null;
        }
    }

    private boolean isReady(long nowNs) {
        if (open.isDue(nowNs)) {
            open.turnUnaligned();
        }
        return open.isFullyCounted() || (open.isUnaligned() && !restoring && open.hasCounted(keptInputs));
    }

    private List<BarrierAction> cutIfReady(BarrierOutcome otherwise, long nowNs) {
        return isReady(nowNs) ? cut(nowNs) : done(otherwise);
    }

    private List<BarrierAction> cut(long nowNs) {
        OpenCheckpoint cut = open;
        decision.add(cut.cut(nowNs, processedBytes));
        inputs.unblockAll(decision);
        if (cut.mayOvertake()) {
            closing.add(cut);
            if (!cut.isUnaligned()) {
                cut.awaitOutputs(overtakableOutputs);
            }
        }
        if (cut.isFullyCounted()) {
            open = null;
        }
        return proceed(BarrierOutcome.SNAPSHOT, nowNs);
    }

    private List<BarrierAction> persisted(OpenCheckpoint cut, long bytes, BarrierOutcome otherwise, long nowNs) {
        cut.meter().persisted(bytes);
        if (cut.meter().persistedBytes() > settings.maxChannelStateBytes()) {
            giveUp(cut, AbortReason.CHANNEL_STATE_LIMIT);
            return proceed(BarrierOutcome.CHANNEL_STATE_LIMIT_EXCEEDED, nowNs);
        }
        return closeIfDone(cut, otherwise, nowNs);
    }

    private List<BarrierAction> closeIfDone(OpenCheckpoint cut, BarrierOutcome otherwise, long nowNs) {
        if (cut == open && cut.isCaptured()) {
            open = null;
        }
        if (!cut.isClosed()) {
            return proceed(otherwise, nowNs);
        }
        closing.remove(cut);
        decision.add(new BarrierAction.ChannelStateClosed(cut.checkpointId(), cut.metrics(nowNs, processedBytes)));
        return proceed(BarrierOutcome.CHANNEL_STATE_CLOSED, nowNs);
    }

    /** Turns to the held trigger, if nothing is open and its time has come. */
    private List<BarrierAction> proceed(BarrierOutcome reached, long nowNs) {
        if (held == null || open != null) {
            return done(reached);
        }
        if (inputs.hasRunning() && !held.isUnaligned() && !held.isDue(nowNs)) {
            return done(reached);
        }
        ids.moveTo(held.checkpointId());
        begin(held, nowNs);
        held = null;
        return cutIfReady(reached, nowNs);
    }

    private List<BarrierAction> done(BarrierOutcome reached) {
        assert !inputs.anyBlocked() || (open != null && !open.isCut()) : "blocked with no checkpoint to align";
        return decision.done(reached, stateNow(), ids.current());
    }

    private BarrierState stateNow() {
        if (open != null) {
            return open.isCut() ? BarrierState.CAPTURING : BarrierState.ALIGNING;
        }
        if (!inputs.hasRunning()) {
            return BarrierState.NO_RUNNING_INPUTS;
        }
        return held != null ? BarrierState.HOLDING_TRIGGER : BarrierState.WAITING;
    }
}
