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
    private final ProcessedBytes processed = new ProcessedBytes();
    private final BarrierDecision decision;
    private final CutCheckpoints cuts;
    private OpenCheckpoint aligning;
    private OpenCheckpoint held;
    private boolean restoring;

    /** Starts with all channels open and no checkpoint seen. */
    ExactlyOnceBarrierHandler(BarrierSettings settings, BarrierChannels channels) {
        this.settings = settings;
        this.inputs = new InputChannels(channels.inputs());
        this.keptInputs = (BitSet) channels.keptInputs().clone();
        this.overtakableOutputs.set(0, channels.outputs());
        this.overtakableOutputs.andNot(channels.keptOutputs());
        this.decision =
                new BarrierDecision(inputs.hasRunning() ? BarrierState.WAITING : BarrierState.NO_RUNNING_INPUTS);
        this.cuts = new CutCheckpoints(settings, decision);
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
            return proceed(refused, nowNs);
        }
        OpenCheckpoint announced = aligning != null ? aligning : cuts.capturing();
        if (!announced.mayOvertake()) {
            return done(BarrierOutcome.IGNORED_ALIGNED_MODE);
        }
        if (BarrierOptions.isPositionFixed(options)) {
            announced.endAt(channelIndex, position, decision);
        }
        if (BarrierOptions.isUnaligned(options)) {
            announced.turnUnaligned();
            announced.arrive(channelIndex, nowNs);
        }
        return aligning != null ? cutIfReady(BarrierOutcome.ANNOUNCED, nowNs) : proceed(cuts.onAnnounced(nowNs), nowNs);
    }

    @Override
    public List<BarrierAction> onBarrier(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long nowNs) {
        inputs.check(channelIndex);
        BarrierOutcome refused = admit(channelIndex, new BarrierMark(checkpointId, triggerTimeNs, options), nowNs);
        if (refused != null) {
            return proceed(refused, nowNs);
        }
        if (aligning == null) {
            return proceed(cuts.endCapture(channelIndex, nowNs), nowNs);
        }
        aligning.count(channelIndex, nowNs);
        if (BarrierOptions.isUnaligned(options)) {
            aligning.turnUnaligned();
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
            giveUpOpen(AbortReason.CANCELLATION);
            return proceed(BarrierOutcome.ABORTED, nowNs);
        }
        giveUpBefore(checkpointId);
        ids.moveTo(checkpointId);
        if (ids.takeAbort(checkpointId)) {
            decision.add(new BarrierAction.ForwardCancellation(checkpointId));
            return proceed(BarrierOutcome.CANCELLATION_FORWARDED, nowNs);
        }
        decision.add(new BarrierAction.Abort(checkpointId, AbortReason.CANCELLATION));
        decision.add(new BarrierAction.ForwardCancellation(checkpointId));
        return proceed(BarrierOutcome.ABORTED, nowNs);
    }

    @Override
    public List<BarrierAction> onEndOfData(int channelIndex, long nowNs) {
        inputs.check(channelIndex);
        if (inputs.isEnded(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        inputs.end(channelIndex);
        if (aligning != null) {
            aligning.count(channelIndex, nowNs);
            return cutIfReady(BarrierOutcome.CHANNEL_ENDED, nowNs);
        }
        BarrierOutcome ended =
                cuts.isCapturing(channelIndex) ? cuts.endCapture(channelIndex, nowNs) : BarrierOutcome.CHANNEL_ENDED;
        return proceed(ended, nowNs);
    }

    @Override
    public List<BarrierAction> onAbort(long checkpointId) {
        if (cuts.abort(checkpointId)) {
            return done(BarrierOutcome.ABORTED);
        }
        if (isPast(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_ABORT);
        }
        if (checkpointId == ids.current()) {
            giveUpOpen(AbortReason.COORDINATOR);
            return done(BarrierOutcome.ABORTED);
        }
        if (held != null && held.checkpointId() == checkpointId) {
            held = null;
            if (!hasOpen()) {
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
            if (hasOpen()) {
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
        BarrierOutcome outcome = cuts.onTime(nowNs);
        return aligning != null && nowNs >= aligning.deadlineNs()
                ? cutIfReady(BarrierOutcome.TURNED_UNALIGNED, nowNs)
                : proceed(outcome, nowNs);
    }

    @Override
    public List<BarrierAction> onChannelStateRestoring() {
        restoring = true;
        return done(BarrierOutcome.RESTORING_CHANNEL_STATE);
    }

    @Override
    public List<BarrierAction> onChannelStateRestored(long nowNs) {
        restoring = false;
        return aligning != null
                ? cutIfReady(BarrierOutcome.RESTORING_CHANNEL_STATE, nowNs)
                : done(BarrierOutcome.RESTORING_CHANNEL_STATE);
    }

    @Override
    public List<BarrierAction> onSnapshotTaken(
            long checkpointId, IntToLongFunction cursors, long outputBytes, long nowNs) {
        return proceed(cuts.onTaken(checkpointId, cursors, outputBytes, nowNs), nowNs);
    }

    @Override
    public List<BarrierAction> onSnapshotFailed(long checkpointId, long nowNs) {
        return proceed(cuts.onFailed(checkpointId), nowNs);
    }

    @Override
    public List<BarrierAction> onCaptured(int channelIndex, long checkpointId, long position, long bytes, long nowNs) {
        inputs.check(channelIndex);
        return proceed(cuts.onCaptured(channelIndex, checkpointId, position, bytes, nowNs), nowNs);
    }

    @Override
    public List<BarrierAction> onBarrierAhead(int channelIndex, long checkpointId, long nowNs) {
        inputs.check(channelIndex);
        return proceed(cuts.onBarrierAhead(channelIndex, checkpointId, nowNs), nowNs);
    }

    @Override
    public List<BarrierAction> onCancellationAhead(int channelIndex, long checkpointId, long nowNs) {
        inputs.check(channelIndex);
        return proceed(cuts.onCancellationAhead(channelIndex, checkpointId), nowNs);
    }

    @Override
    public List<BarrierAction> onEndOfDataAhead(int channelIndex, long nowNs) {
        inputs.check(channelIndex);
        return proceed(cuts.endCapture(channelIndex, nowNs), nowNs);
    }

    @Override
    public List<BarrierAction> onBarrierSent(int outputIndex, long checkpointId, long nowNs) {
        return proceed(cuts.onSent(outputIndex, checkpointId, 0, nowNs), nowNs);
    }

    @Override
    public List<BarrierAction> onOvertaken(int outputIndex, long checkpointId, long bytes, long nowNs) {
        return proceed(cuts.onSent(outputIndex, checkpointId, bytes, nowNs), nowNs);
    }

    @Override
    public void onOutputsEnded() {
        overtakableOutputs.clear();
    }

    @Override
    public void onProcessed(long bytes) {
        processed.add(bytes);
    }

    @Override
    public long deadlineNs() {
        long deadlineNs = cuts.deadlineNs();
        if (aligning != null) {
            return Math.min(deadlineNs, aligning.deadlineNs());
        }
        return held == null || hasOpen() ? deadlineNs : Math.min(deadlineNs, held.dueNs());
    }

    @Override
    public long readLimit(int channelIndex) {
        return cuts.readLimit(channelIndex);
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
        return !cuts.isEmpty();
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
            boolean passed = aligning != null ? aligning.isCounted(channelIndex) : !cuts.isCapturing(channelIndex);
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
        CheckpointMeter meter = new CheckpointMeter(mark.triggerTimeNs(), nowNs, processed);
        return new OpenCheckpoint(mark, settings, inputs.count(), meter);
    }

    private void begin(OpenCheckpoint checkpoint, long nowNs) {
        aligning = checkpoint;
        aligning.countAll(inputs.ended(), nowNs);
    }

    /** Tells whether a checkpoint is aligning here, or captures what is before its barriers. */
    private boolean hasOpen() {
        return aligning != null || cuts.capturing() != null;
    }

    private boolean isPast(long checkpointId) {
        return checkpointId < ids.current() || (checkpointId == ids.current() && !hasOpen());
    }

    private BarrierOutcome skip(long checkpointId) {
        ids.remember(checkpointId);
        decision.add(new BarrierAction.Abort(checkpointId, AbortReason.SUBSUMED));
        return BarrierOutcome.SKIPPED;
    }

    private void giveUpBefore(long checkpointId) {
        if (hasOpen()) {
            giveUpOpen(AbortReason.SUBSUMED);
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

    private void giveUpOpen(AbortReason reason) {
        if (aligning == null) {
            cuts.giveUp(cuts.capturing(), reason);
            return;
        }
        decision.add(new BarrierAction.Abort(aligning.checkpointId(), reason));
        decision.add(new BarrierAction.ForwardCancellation(aligning.checkpointId()));
        inputs.unblockAll(decision);
        aligning = null;
    }

    private boolean isReady(long nowNs) {
        if (aligning.isDue(nowNs)) {
            aligning.turnUnaligned();
        }
        return aligning.isFullyCounted() || (aligning.isUnaligned() && !restoring && aligning.hasCounted(keptInputs));
    }

    private List<BarrierAction> cutIfReady(BarrierOutcome otherwise, long nowNs) {
        return isReady(nowNs) ? cut(nowNs) : done(otherwise);
    }

    private List<BarrierAction> cut(long nowNs) {
        decision.add(aligning.cut(nowNs));
        inputs.unblockAll(decision);
        if (aligning.mayOvertake()) {
            if (!aligning.isUnaligned()) {
                aligning.awaitOutputs(overtakableOutputs);
            }
            cuts.add(aligning);
        }
        aligning = null;
        return proceed(BarrierOutcome.SNAPSHOT, nowNs);
    }

    /** Turns to the held trigger, if nothing is open and its time has come. */
    private List<BarrierAction> proceed(BarrierOutcome reached, long nowNs) {
        if (held == null || hasOpen()) {
            return done(reached);
        }
        if (inputs.hasRunning() && nowNs < held.dueNs()) {
            return done(reached);
        }
        ids.moveTo(held.checkpointId());
        begin(held, nowNs);
        held = null;
        return cutIfReady(reached, nowNs);
    }

    private List<BarrierAction> done(BarrierOutcome reached) {
        assert !inputs.anyBlocked() || aligning != null : "blocked with no checkpoint to align";
        return decision.done(reached, stateNow(), ids.current());
    }

    private BarrierState stateNow() {
        if (hasOpen()) {
            return aligning != null ? BarrierState.ALIGNING : BarrierState.CAPTURING;
        }
        if (!inputs.hasRunning()) {
            return BarrierState.NO_RUNNING_INPUTS;
        }
        return held != null ? BarrierState.HOLDING_TRIGGER : BarrierState.WAITING;
    }
}
