package io.weir.engine.barrier;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;

/**
 * At-least-once barriers of one task: they are counted, and nothing is blocked. Several checkpoints may be pending; the one
 * whose last barrier comes is taken, and gives up the older ones: their barriers can't all come in front of records that are not
 * in that snapshot. A task that finishes owes an answer to each checkpoint it has met, or the coordinator would take its last
 * state for one that it has dropped. A cancellation gives up the older ones as well. A
 * checkpoint that the coordinator aborted is counted on: in place of its snapshot, a cancellation is forwarded.
 */
final class AtLeastOnceBarrierHandler implements BarrierHandler {
    /** Pending checkpoints, beyond which the oldest is dropped. */
    static final int MAX_PENDING = 50;

    private final BarrierSettings settings;
    private final InputChannels inputs;
    private final TreeMap<Long, OpenCheckpoint> pending = new TreeMap<>();
    private final TreeSet<Long> aborted = new TreeSet<>();
    private final CheckpointIds answered = new CheckpointIds();
    private final ProcessedBytes processed = new ProcessedBytes();
    private final BarrierDecision decision;
    private long currentId = NO_CHECKPOINT;
    private long doneId = NO_CHECKPOINT;

    /** Starts with no checkpoint seen. */
    AtLeastOnceBarrierHandler(BarrierSettings settings, int inputCount) {
        this.settings = settings;
        this.inputs = new InputChannels(inputCount);
        this.decision = new BarrierDecision(stateNow());
    }

    @Override
    public List<BarrierAction> onAnnouncement(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long position, long nowNs) {
        inputs.check(channelIndex);
        return done(BarrierOutcome.IGNORED_ALIGNED_MODE);
    }

    @Override
    public List<BarrierAction> onBarrier(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long nowNs) {
        inputs.check(channelIndex);
        if (inputs.isEnded(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        if (answered.isSkipped(checkpointId)) {
            return done(skip(checkpointId));
        }
        if (checkpointId <= doneId) {
            return done(BarrierOutcome.IGNORED_LATE_BARRIER);
        }
        OpenCheckpoint checkpoint = pending(new BarrierMark(checkpointId, triggerTimeNs, options), nowNs);
        if (checkpoint.isCounted(channelIndex)) {
            return done(BarrierOutcome.IGNORED_DUPLICATE_BARRIER);
        }
        checkpoint.count(channelIndex, nowNs);
        return finishCounted(BarrierOutcome.COUNTED, nowNs);
    }

    @Override
    public List<BarrierAction> onCancellation(int channelIndex, long checkpointId, long nowNs) {
        inputs.check(channelIndex);
        if (inputs.isEnded(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        if (checkpointId <= doneId) {
            return done(BarrierOutcome.IGNORED_LATE_CANCELLATION);
        }
        // Receivers give up all that is older too: barriers leave a task in the order of their ids.
        for (long older : pending.headMap(checkpointId).keySet()) {
            cancel(older, AbortReason.SUBSUMED);
        }
        cancel(checkpointId, AbortReason.CANCELLATION);
        forgetUpTo(checkpointId);
        return done(BarrierOutcome.ABORTED);
    }

    @Override
    public List<BarrierAction> onEndOfData(int channelIndex, long nowNs) {
        inputs.check(channelIndex);
        if (inputs.isEnded(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        inputs.end(channelIndex);
        for (OpenCheckpoint checkpoint : pending.values()) {
            checkpoint.count(channelIndex, nowNs);
        }
        return finishCounted(BarrierOutcome.CHANNEL_ENDED, nowNs);
    }

    @Override
    public List<BarrierAction> onAbort(long checkpointId) {
        if (checkpointId <= doneId) {
            return done(BarrierOutcome.IGNORED_LATE_ABORT);
        }
        aborted.add(checkpointId);
        if (aborted.size() > CheckpointIds.MAX_REMEMBERED_ABORTS) {
            aborted.pollFirst();
        }
        return done(BarrierOutcome.ABORT_REMEMBERED);
    }

    @Override
    public List<BarrierAction> onTrigger(long checkpointId, long triggerTimeNs, int options, long nowNs) {
        if (answered.isSkipped(checkpointId)) {
            return done(skip(checkpointId));
        }
        if (checkpointId <= doneId || pending.containsKey(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_TRIGGER);
        }
        pending(new BarrierMark(checkpointId, triggerTimeNs, options), nowNs);
        return finishCounted(BarrierOutcome.TRIGGER_HELD, nowNs);
    }

    @Override
    public List<BarrierAction> onTime(long nowNs) {
        return done(BarrierOutcome.IGNORED_EARLY_TIME);
    }

    @Override
    public List<BarrierAction> onChannelStateRestoring() {
        return done(BarrierOutcome.RESTORING_CHANNEL_STATE);
    }

    @Override
    public List<BarrierAction> onChannelStateRestored(long nowNs) {
        return done(BarrierOutcome.RESTORING_CHANNEL_STATE);
    }

    @Override
    public List<BarrierAction> onSnapshotTaken(
            long checkpointId, IntToLongFunction cursors, long outputBytes, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onSnapshotFailed(long checkpointId, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onCaptured(int channelIndex, long checkpointId, long position, long bytes, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onBarrierAhead(int channelIndex, long checkpointId, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onCancellationAhead(int channelIndex, long checkpointId, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onEndOfDataAhead(int channelIndex, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onBarrierSent(int outputIndex, long checkpointId, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public List<BarrierAction> onOvertaken(int outputIndex, long checkpointId, long bytes, long nowNs) {
        return done(BarrierOutcome.IGNORED_LATE_ANSWER);
    }

    @Override
    public void onOutputsEnded() {}

    @Override
    public void onProcessed(long bytes) {
        processed.add(bytes);
    }

    @Override
    public long deadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public long readLimit(int channelIndex) {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isBlocked(int channelIndex) {
        inputs.check(channelIndex);
        return false;
    }

    @Override
    public boolean hasRunningInputs() {
        return inputs.hasRunning();
    }

    @Override
    public boolean hasOpenChannelState() {
        return false;
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

    private OpenCheckpoint pending(BarrierMark mark, long nowNs) {
        OpenCheckpoint known = pending.get(mark.checkpointId());
        if (known != null) {
            return known;
        }
        CheckpointMeter meter = new CheckpointMeter(mark.triggerTimeNs(), nowNs, processed);
        OpenCheckpoint checkpoint = new OpenCheckpoint(mark, settings, inputs.count(), meter);
        checkpoint.countAll(inputs.ended(), nowNs);
        pending.put(mark.checkpointId(), checkpoint);
        if (pending.size() > MAX_PENDING) {
            long oldest = pending.pollFirstEntry().getKey();
            answered.remember(oldest);
            if (!aborted.remove(oldest)) {
                decision.add(new BarrierAction.Abort(oldest, AbortReason.SUBSUMED));
            }
        }
        currentId = Math.max(currentId, mark.checkpointId());
        return checkpoint;
    }

    /** Takes the newest checkpoint that all barriers are in of, and answers those aborted ones behind it. */
    private List<BarrierAction> finishCounted(BarrierOutcome otherwise, long nowNs) {
        List<OpenCheckpoint> counted = new ArrayList<>();
        long newestId = NO_CHECKPOINT;
        for (OpenCheckpoint checkpoint : pending.values()) {
            if (checkpoint.isFullyCounted()) {
                counted.add(checkpoint);
                if (!aborted.contains(checkpoint.checkpointId())) {
                    newestId = checkpoint.checkpointId();
                }
            }
        }
        BarrierOutcome reached = otherwise;
        for (OpenCheckpoint checkpoint : counted) {
            if (checkpoint.checkpointId() >= newestId) {
                reached = finish(checkpoint, nowNs);
            }
        }
        return done(reached);
    }

    private BarrierOutcome finish(OpenCheckpoint checkpoint, long nowNs) {
        long checkpointId = checkpoint.checkpointId();
        boolean wasAborted = aborted.contains(checkpointId);
        for (long older : pending.headMap(checkpointId).keySet()) {
            if (!aborted.contains(older)) {
                decision.add(new BarrierAction.Abort(older, AbortReason.SUBSUMED));
            }
        }
        forgetUpTo(checkpointId);
        if (wasAborted) {
            decision.add(new BarrierAction.ForwardCancellation(checkpointId));
            return BarrierOutcome.CANCELLATION_FORWARDED;
        }
        decision.add(checkpoint.cut(nowNs));
        return BarrierOutcome.SNAPSHOT;
    }

    private void cancel(long checkpointId, AbortReason reason) {
        if (!aborted.contains(checkpointId)) {
            decision.add(new BarrierAction.Abort(checkpointId, reason));
        }
        decision.add(new BarrierAction.ForwardCancellation(checkpointId));
    }

    /** A checkpoint is met for the first time behind a newer one: it is too late for it here, and whoever waits must know. */
    private BarrierOutcome skip(long checkpointId) {
        answered.remember(checkpointId);
        decision.add(new BarrierAction.Abort(checkpointId, AbortReason.SUBSUMED));
        return BarrierOutcome.SKIPPED;
    }

    private void forgetUpTo(long checkpointId) {
        doneId = checkpointId;
        answered.moveTo(checkpointId);
        pending.headMap(checkpointId).keySet().forEach(answered::remember);
        currentId = Math.max(currentId, checkpointId);
        pending.headMap(checkpointId, true).clear();
        aborted.headSet(checkpointId, true).clear();
    }

    private List<BarrierAction> done(BarrierOutcome reached) {
        return decision.done(reached, stateNow(), currentId);
    }

    private BarrierState stateNow() {
        if (!pending.isEmpty()) {
            return BarrierState.COUNTING;
        }
        return inputs.hasRunning() ? BarrierState.WAITING : BarrierState.NO_RUNNING_INPUTS;
    }
}
