package io.weir.engine.barrier;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Exactly-once barriers of one task, aligned: the first barrier of a checkpoint blocks its channel, the last brings the
 * snapshot and unblocks all. A newer barrier gives up an older open checkpoint; a late one leaves its channel open and is
 * ignored, but for the first of a checkpoint that was passed over, which is declined; the end of data of a channel stands
 * for all its later barriers. So a task that ends without a snapshot or decline of a checkpoint has met no barrier of it,
 * and its final state can stand for that snapshot.
 *
 * <p>Checkpoint ids are at least 0 and rise per channel; gaps are no error. Task thread only, except for
 * {@link #state()}, {@link #currentCheckpointId()} and {@link #count(BarrierOutcome)}. Every event returns the actions
 * it asks for, never null, and leaves a named {@link #outcome()}.
 */
public final class AlignedBarrierHandler {
    /** The current checkpoint id before the first checkpoint. */
    public static final long NO_CHECKPOINT = -1;

    /** Aborts that came ahead of their barriers, beyond which the oldest is forgotten (and would be taken in vain). */
    static final int MAX_REMEMBERED_ABORTS = 128;

    /** Checkpoints known to have been begun or given up here; older ones are taken for so. */
    static final int MAX_REMEMBERED_CHECKPOINTS = 128;

    private final int channelCount;
    private final BitSet blocked = new BitSet();
    private final BitSet counted = new BitSet();
    private final BitSet ended = new BitSet();
    private final TreeSet<Long> abortedAhead = new TreeSet<>();
    private final TreeSet<Long> seen = new TreeSet<>();
    private final Map<BarrierOutcome, AtomicLong> counts = new EnumMap<>(BarrierOutcome.class);
    private List<BarrierAction> actions = new ArrayList<>();
    private OpenCheckpoint aligning;
    private OpenCheckpoint held;
    private BarrierOutcome outcome;
    private volatile BarrierState state;
    private volatile long currentCheckpointId = NO_CHECKPOINT;

    /**
     * Starts with all channels open and no checkpoint seen.
     *
     * @param channelCount of the task's inputs together, 0 for a source.
     */
    public AlignedBarrierHandler(int channelCount) {
        if (channelCount < 0) {
            throw new IllegalArgumentException("channelCount=" + channelCount + " must be >= 0");
        }
        this.channelCount = channelCount;
        for (BarrierOutcome each : BarrierOutcome.values()) {
            counts.put(each, new AtomicLong());
        }
        this.state = channelCount == 0 ? BarrierState.NO_RUNNING_INPUTS : BarrierState.WAITING;
    }

    /**
     * A barrier was announced on the priority lane. Ignored: in aligned mode only the inline barrier counts.
     *
     * @param channelIndex of the channel.
     * @param checkpointId that was announced.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options as the sender gave them.
     * @param position of the inline barrier in the channel's data stream.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<BarrierAction> onAnnouncement(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long position, long nowNs) {
        checkChannel(channelIndex);
        return done(BarrierOutcome.IGNORED_ALIGNED_MODE);
    }

    /**
     * The inline barrier arrived: all data before it has been processed.
     *
     * @param channelIndex of the channel.
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options as the sender gave them.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<BarrierAction> onBarrier(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long nowNs) {
        checkChannel(channelIndex);
        if (ended.get(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        if (isSkipped(checkpointId)) {
            return skip(checkpointId);
        }
        if (isPast(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_BARRIER);
        }
        if (checkpointId > currentCheckpointId) {
            giveUpBefore(checkpointId);
            moveTo(checkpointId);
            if (abortedAhead.remove(checkpointId)) {
                actions.add(new BarrierAction.ForwardCancellation(checkpointId));
                return done(BarrierOutcome.CANCELLATION_FORWARDED);
            }
            aligning = new OpenCheckpoint(checkpointId, triggerTimeNs, options, nowNs);
            counted.or(ended);
        } else if (counted.get(channelIndex)) {
            return done(BarrierOutcome.IGNORED_DUPLICATE_BARRIER);
        }
        counted.set(channelIndex);
        if (counted.cardinality() == channelCount) {
            return snapshotAligned(nowNs);
        }
        blocked.set(channelIndex);
        actions.add(new BarrierAction.Block(channelIndex));
        return done(BarrierOutcome.BLOCKED);
    }

    /**
     * An in-order cancellation arrived: the barrier of this checkpoint won't come on this channel.
     *
     * @param channelIndex of the channel.
     * @param checkpointId that is given up.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<BarrierAction> onCancellation(int channelIndex, long checkpointId, long nowNs) {
        checkChannel(channelIndex);
        if (ended.get(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        if (isPast(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_CANCELLATION);
        }
        if (checkpointId == currentCheckpointId) {
            giveUpAligning(AbortReason.CANCELLATION);
            return done(BarrierOutcome.ABORTED);
        }
        giveUpBefore(checkpointId);
        moveTo(checkpointId);
        if (abortedAhead.remove(checkpointId)) {
            actions.add(new BarrierAction.ForwardCancellation(checkpointId));
            return done(BarrierOutcome.CANCELLATION_FORWARDED);
        }
        actions.add(new BarrierAction.Abort(checkpointId, AbortReason.CANCELLATION));
        actions.add(new BarrierAction.ForwardCancellation(checkpointId));
        return done(BarrierOutcome.ABORTED);
    }

    /**
     * The channel has ended, which counts as its barrier of every later checkpoint.
     *
     * @param channelIndex of the channel.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<BarrierAction> onEndOfData(int channelIndex, long nowNs) {
        checkChannel(channelIndex);
        if (ended.get(channelIndex)) {
            return done(BarrierOutcome.IGNORED_ENDED_CHANNEL);
        }
        ended.set(channelIndex);
        if (aligning != null) {
            counted.set(channelIndex);
            if (counted.cardinality() == channelCount) {
                return snapshotAligned(nowNs);
            }
        }
        return held != null && !hasRunningInputs() ? snapshotHeld(nowNs) : done(BarrierOutcome.CHANNEL_ENDED);
    }

    /**
     * The coordinator aborted a checkpoint, perhaps before its barrier arrived here: then that barrier, when it comes,
     * is answered by a forwarded cancellation and nothing else.
     *
     * @param checkpointId that is given up.
     * @return the actions.
     */
    public List<BarrierAction> onAbort(long checkpointId) {
        if (isPast(checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_ABORT);
        }
        if (checkpointId == currentCheckpointId) {
            giveUpAligning(AbortReason.COORDINATOR);
            return done(BarrierOutcome.ABORTED);
        }
        if (held != null && held.checkpointId == checkpointId) {
            held = null;
            if (aligning == null) {
                moveTo(checkpointId);
                actions.add(new BarrierAction.Abort(checkpointId, AbortReason.COORDINATOR));
                actions.add(new BarrierAction.ForwardCancellation(checkpointId));
                return done(BarrierOutcome.ABORTED);
            }
        }
        abortedAhead.add(checkpointId);
        if (abortedAhead.size() > MAX_REMEMBERED_ABORTS) {
            abortedAhead.pollFirst();
        }
        return done(BarrierOutcome.ABORT_REMEMBERED);
    }

    /**
     * The coordinator triggered this task itself, since no running task is upstream of it. Where ends of data are still on
     * their way the snapshot waits for them, and barriers of older checkpoints before them still count.
     *
     * @param checkpointId that is triggered.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options for the barriers.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<BarrierAction> onTrigger(long checkpointId, long triggerTimeNs, int options, long nowNs) {
        if (isSkipped(checkpointId)) {
            return skip(checkpointId);
        }
        if (checkpointId <= currentCheckpointId || (held != null && checkpointId <= held.checkpointId)) {
            return done(BarrierOutcome.IGNORED_LATE_TRIGGER);
        }
        if (abortedAhead.contains(checkpointId)) {
            if (aligning != null) {
                // A cancellation sent now would make receivers give up the older one that is still open here.
                return done(BarrierOutcome.IGNORED_ABORTED_TRIGGER);
            }
            giveUpHeldBefore(checkpointId);
            moveTo(checkpointId);
            abortedAhead.remove(checkpointId);
            actions.add(new BarrierAction.ForwardCancellation(checkpointId));
            return done(BarrierOutcome.CANCELLATION_FORWARDED);
        }
        giveUpHeldBefore(checkpointId);
        held = new OpenCheckpoint(checkpointId, triggerTimeNs, options, nowNs);
        return hasRunningInputs() ? done(BarrierOutcome.TRIGGER_HELD) : snapshotHeld(nowNs);
    }

    /**
     * Where the task stands now. Any thread.
     *
     * @return the state after the last event.
     */
    public BarrierState state() {
        return state;
    }

    /**
     * The newest checkpoint that was begun, taken or given up here. Any thread.
     *
     * @return its id, or {@link #NO_CHECKPOINT}.
     */
    public long currentCheckpointId() {
        return currentCheckpointId;
    }

    /**
     * Tells whether a channel must not be read. Task thread only.
     *
     * @param channelIndex of the channel.
     * @return whether it is blocked.
     */
    public boolean isBlocked(int channelIndex) {
        checkChannel(channelIndex);
        return blocked.get(channelIndex);
    }

    /**
     * Tells whether any input has yet to end. Task thread only.
     *
     * @return false for a source and for a task whose inputs have all ended.
     */
    public boolean hasRunningInputs() {
        return ended.cardinality() < channelCount;
    }

    /**
     * What became of the last event. Task thread only.
     *
     * @return the outcome, null before the first event.
     */
    public BarrierOutcome outcome() {
        return outcome;
    }

    /**
     * How many events came out so. Any thread.
     *
     * @param of the outcome asked for.
     * @return the count since the start.
     */
    public long count(BarrierOutcome of) {
        return counts.get(of).get();
    }

    private boolean isPast(long checkpointId) {
        return checkpointId < currentCheckpointId || (checkpointId == currentCheckpointId && aligning == null);
    }

    private boolean isSkipped(long checkpointId) {
        return checkpointId < currentCheckpointId
                && !seen.contains(checkpointId)
                && (seen.size() < MAX_REMEMBERED_CHECKPOINTS || checkpointId > seen.first());
    }

    private List<BarrierAction> skip(long checkpointId) {
        remember(checkpointId);
        actions.add(new BarrierAction.Abort(checkpointId, AbortReason.SUBSUMED));
        return done(BarrierOutcome.SKIPPED);
    }

    private void remember(long checkpointId) {
        seen.add(checkpointId);
        if (seen.size() > MAX_REMEMBERED_CHECKPOINTS) {
            seen.pollFirst();
        }
    }

    private void moveTo(long checkpointId) {
        currentCheckpointId = checkpointId;
        remember(checkpointId);
        abortedAhead.headSet(checkpointId).clear();
    }

    private void giveUpBefore(long checkpointId) {
        if (aligning != null) {
            giveUpAligning(AbortReason.SUBSUMED);
        }
        giveUpHeldBefore(checkpointId);
        if (held != null && held.checkpointId == checkpointId) {
            held = null;
        }
    }

    private void giveUpHeldBefore(long checkpointId) {
        if (held != null && held.checkpointId < checkpointId) {
            // No cancellation: what follows downstream is newer and says as much.
            actions.add(new BarrierAction.Abort(held.checkpointId, AbortReason.SUBSUMED));
            held = null;
        }
    }

    private void giveUpAligning(AbortReason reason) {
        actions.add(new BarrierAction.Abort(aligning.checkpointId, reason));
        actions.add(new BarrierAction.ForwardCancellation(aligning.checkpointId));
        aligning = null;
        unblockAll();
    }

    private List<BarrierAction> snapshotAligned(long nowNs) {
        actions.add(aligning.snapshot(nowNs));
        aligning = null;
        unblockAll();
        return held != null && !hasRunningInputs() ? snapshotHeld(nowNs) : done(BarrierOutcome.SNAPSHOT);
    }

    private List<BarrierAction> snapshotHeld(long nowNs) {
        moveTo(held.checkpointId);
        actions.add(held.snapshot(nowNs));
        held = null;
        return done(BarrierOutcome.SNAPSHOT);
    }

    private void unblockAll() {
        for (int channel = blocked.nextSetBit(0); channel >= 0; channel = blocked.nextSetBit(channel + 1)) {
            actions.add(new BarrierAction.Unblock(channel));
        }
        blocked.clear();
        counted.clear();
    }

    private List<BarrierAction> done(BarrierOutcome reached) {
        outcome = reached;
        counts.get(reached).incrementAndGet();
        state = stateNow();
        assert aligning != null || blocked.isEmpty() : "channels " + blocked + " blocked with no checkpoint open";
        if (actions.isEmpty()) {
            return List.of();
        }
        List<BarrierAction> result = actions;
        actions = new ArrayList<>();
        return result;
    }

    private BarrierState stateNow() {
        if (aligning != null) {
            return BarrierState.ALIGNING;
        }
        if (!hasRunningInputs()) {
            return BarrierState.NO_RUNNING_INPUTS;
        }
        return held != null ? BarrierState.HOLDING_TRIGGER : BarrierState.WAITING;
    }

    private void checkChannel(int channelIndex) {
        if (channelIndex < 0 || channelIndex >= channelCount) {
            throw new IndexOutOfBoundsException(
                    "channelIndex=" + channelIndex + " must be in [0, " + channelCount + ")");
        }
    }

    /** A checkpoint whose snapshot is awaited: since when, and what to pass on. */
    private record OpenCheckpoint(long checkpointId, long triggerTimeNs, int options, long startNs) {
        BarrierAction.Snapshot snapshot(long nowNs) {
            return new BarrierAction.Snapshot(
                    checkpointId,
                    triggerTimeNs,
                    options,
                    Math.max(0, startNs - triggerTimeNs),
                    Math.max(0, nowNs - startNs));
        }
    }
}
