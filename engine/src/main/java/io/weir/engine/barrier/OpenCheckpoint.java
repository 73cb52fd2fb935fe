package io.weir.engine.barrier;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntToLongFunction;

/**
 * One checkpoint at one task, from its first sign until nothing more of it is awaited: before its cut the channels that
 * delivered its barrier, after it the capture of inputs and the outputs that its barrier has yet to leave.
 */
final class OpenCheckpoint {
    private final long checkpointId;
    private final long triggerTimeNs;
    private final long deadlineNs;
    private final boolean mayOvertake;
    private final int channelCount;
    private final CheckpointMeter meter;
    private final BitSet counted = new BitSet();
    private final BitSet arrived = new BitSet();
    private final BitSet unsentOutputs = new BitSet();
    private final long[] ends;
    private int options;
    private boolean unaligned;
    private boolean cut;
    private boolean taken;
    private InputCapture capture;

    /** A checkpoint none of whose barriers arrived. */
    OpenCheckpoint(BarrierMark mark, BarrierSettings settings, int channelCount, CheckpointMeter meter) {
        this.checkpointId = mark.checkpointId();
        this.triggerTimeNs = mark.triggerTimeNs();
        this.options = mark.options();
        this.mayOvertake = settings.mayOvertake() && BarrierOptions.mayOvertake(options);
        this.unaligned = mayOvertake && BarrierOptions.isUnaligned(options);
        this.deadlineNs = mayOvertake ? settings.deadlineNs(triggerTimeNs) : Long.MAX_VALUE;
        this.channelCount = channelCount;
        this.meter = meter;
        this.ends = new long[mayOvertake ? channelCount : 0];
        Arrays.fill(ends, InputCapture.UNKNOWN_END);
    }

    long checkpointId() {
        return checkpointId;
    }

    /** Whether channel state can belong to it. */
    boolean mayOvertake() {
        return mayOvertake;
    }

    boolean isUnaligned() {
        return unaligned;
    }

    void turnUnaligned() {
        if (mayOvertake) {
            unaligned = true;
            options = BarrierOptions.unaligned(options);
        }
    }

    /** When it turns unaligned, unless it is. */
    long deadlineNs() {
        return unaligned ? Long.MAX_VALUE : deadlineNs;
    }

    /** From when on it is unaligned. */
    long dueNs() {
        return unaligned ? Long.MIN_VALUE : deadlineNs;
    }

    boolean isDue(long nowNs) {
        return nowNs >= dueNs();
    }

    /** Every record before the channel's barrier was processed, or the channel has ended. */
    void count(int channelIndex, long nowNs) {
        counted.set(channelIndex);
        arrive(channelIndex, nowNs);
    }

    void countAll(BitSet channels, long nowNs) {
        for (int channel = channels.nextSetBit(0); channel >= 0; channel = channels.nextSetBit(channel + 1)) {
            count(channel, nowNs);
        }
    }

    /** The barrier was seen, on whatever way. */
    void arrive(int channelIndex, long nowNs) {
        arrived.set(channelIndex);
        if (arrived.cardinality() == channelCount) {
            meter.aligned(nowNs);
        }
    }

    /** The position at which the data before the channel's barrier ends became known. */
    void endAt(int channelIndex, long position, BarrierDecision decision) {
        ends[channelIndex] = position;
        if (capture != null) {
            capture.endAt(channelIndex, position, decision);
        }
    }

    boolean isCounted(int channelIndex) {
        return counted.get(channelIndex);
    }

    boolean isFullyCounted() {
        return counted.cardinality() == channelCount;
    }

    boolean hasCounted(BitSet channels) {
        for (int channel = channels.nextSetBit(0); channel >= 0; channel = channels.nextSetBit(channel + 1)) {
            if (!counted.get(channel)) {
                return false;
            }
        }
        return true;
    }

    /** The cut is now. */
    BarrierAction.Snapshot cut(long nowNs) {
        assert !cut : "second cut of " + checkpointId;
        cut = true;
        meter.cut(nowNs);
        if (isFullyCounted()) {
            meter.aligned(nowNs);
        }
        return new BarrierAction.Snapshot(checkpointId, triggerTimeNs, options, metrics(nowNs));
    }

    /** The cut was made at these cursors: what is between them and the barriers is captured. */
    void taken(IntToLongFunction cursors, int sliceLength, long nowNs, BarrierDecision decision) {
        assert cut && !taken : "snapshot of " + checkpointId + " taken twice or without a cut";
        taken = true;
        meter.taken(nowNs);
        if (isFullyCounted()) {
            return;
        }
        capture = new InputCapture(checkpointId, channelCount, sliceLength);
        for (int channel = counted.nextClearBit(0);
                channel < channelCount;
                channel = counted.nextClearBit(channel + 1)) {
            capture.open(channel, cursors.applyAsLong(channel), ends[channel], decision);
        }
    }

    boolean isCapturing(int channelIndex) {
        return capture != null && capture.isOpen(channelIndex);
    }

    long readLimit(int channelIndex) {
        return capture == null ? Long.MAX_VALUE : capture.readLimit(channelIndex);
    }

    void captured(int channelIndex, long position, BarrierDecision decision) {
        capture.onCaptured(channelIndex, position, decision);
    }

    /** The channel's barrier, or end, was met with all before it captured. */
    void endCapture(int channelIndex, long nowNs) {
        arrive(channelIndex, nowNs);
        capture.close(channelIndex);
    }

    void stopCapture(BarrierDecision decision) {
        if (capture != null) {
            capture.stop(decision);
        }
    }

    /** No input is awaited: each was at its barrier at the cut, or is captured up to it. */
    boolean isCaptured() {
        return isFullyCounted() || (capture != null && capture.isDone());
    }

    /** Its barrier is in these outboxes. */
    void awaitOutputs(BitSet outputs) {
        unsentOutputs.or(outputs);
    }

    boolean hasUnsent(int outputIndex) {
        return unsentOutputs.get(outputIndex);
    }

    void sent(int outputIndex) {
        unsentOutputs.clear(outputIndex);
    }

    /** Its barrier has waited in outboxes until the timeout: there it overtakes. */
    void overtakeUnsent(BarrierDecision decision) {
        turnUnaligned();
        for (int output = unsentOutputs.nextSetBit(0); output >= 0; output = unsentOutputs.nextSetBit(output + 1)) {
            decision.add(new BarrierAction.Overtake(output, checkpointId, triggerTimeNs, options));
        }
    }

    boolean awaitsOutputs() {
        return !unsentOutputs.isEmpty();
    }

    boolean isClosed() {
        return taken && isCaptured() && unsentOutputs.isEmpty();
    }

    CheckpointMeter meter() {
        return meter;
    }

    BarrierMetrics metrics(long nowNs) {
        return meter.metrics(nowNs, unaligned);
    }
}
