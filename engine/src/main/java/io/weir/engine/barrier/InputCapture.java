package io.weir.engine.barrier;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The capture of one checkpoint's input channel state: per channel a window from the cursor at the cut to the channel's
 * barrier, taken down in slices, one of a channel at a time.
 */
final class InputCapture {
    /** The end of a window whose barrier was not seen yet. */
    static final long UNKNOWN_END = Long.MAX_VALUE;

    private final long checkpointId;
    private final int sliceLength;
    private final BitSet open = new BitSet();
    private final long[] captured;
    private final long[] ends;

    InputCapture(long checkpointId, int channelCount, int sliceLength) {
        this.checkpointId = checkpointId;
        this.sliceLength = sliceLength;
        this.captured = new long[channelCount];
        this.ends = new long[channelCount];
        Arrays.fill(ends, UNKNOWN_END);
    }

    /** Opens a window, unless nothing is in it. */
    void open(int channelIndex, long cursor, long end, BarrierDecision decision) {
        captured[channelIndex] = cursor;
        ends[channelIndex] = end;
        if (cursor < end) {
            open.set(channelIndex);
            order(channelIndex, decision);
        }
    }

    boolean isOpen(int channelIndex) {
        return open.get(channelIndex);
    }

    boolean isDone() {
        return open.isEmpty();
    }

    long readLimit(int channelIndex) {
        return open.get(channelIndex) ? captured[channelIndex] : Long.MAX_VALUE;
    }

    /** The window's end became known. */
    void endAt(int channelIndex, long end, BarrierDecision decision) {
        if (!open.get(channelIndex)) {
            return;
        }
        long orderedEnd = sliceEnd(channelIndex);
        ends[channelIndex] = end;
        if (captured[channelIndex] >= end) {
            open.clear(channelIndex);
            decision.add(new BarrierAction.StopCapture(channelIndex, checkpointId));
        } else if (orderedEnd > end) {
            order(channelIndex, decision);
        }
    }

    void onCaptured(int channelIndex, long position, BarrierDecision decision) {
        if (position <= captured[channelIndex]) {
            throw new IllegalArgumentException("channel " + channelIndex + ": captured up to " + position
                    + ", but had been up to " + captured[channelIndex]);
        }
        captured[channelIndex] = position;
        if (position < ends[channelIndex]) {
            order(channelIndex, decision);
        } else {
            open.clear(channelIndex);
        }
    }

    /** The barrier, or the end of data, was met, with all before it captured. */
    void close(int channelIndex) {
        open.clear(channelIndex);
    }

    void stop(BarrierDecision decision) {
        for (int channel = open.nextSetBit(0); channel >= 0; channel = open.nextSetBit(channel + 1)) {
            decision.add(new BarrierAction.StopCapture(channel, checkpointId));
        }
        open.clear();
    }

    private void order(int channelIndex, BarrierDecision decision) {
        decision.add(
                new BarrierAction.Capture(channelIndex, checkpointId, captured[channelIndex], sliceEnd(channelIndex)));
    }

    private long sliceEnd(int channelIndex) {
        long begin = captured[channelIndex];
        return ends[channelIndex] - begin <= sliceLength ? ends[channelIndex] : begin + sliceLength;
    }
}
