package io.weir.engine.barrier;

import java.util.BitSet;

/** The inputs of a task: which have ended, and which are blocked. */
final class InputChannels {
    private final int count;
    private final BitSet ended = new BitSet();
    private final BitSet blocked = new BitSet();

    InputChannels(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("inputs=" + count + " must be >= 0");
        }
        this.count = count;
    }

    int count() {
        return count;
    }

    void check(int channelIndex) {
        if (channelIndex < 0 || channelIndex >= count) {
            throw new IndexOutOfBoundsException("channelIndex=" + channelIndex + " must be in [0, " + count + ")");
        }
    }

    void end(int channelIndex) {
        ended.set(channelIndex);
    }

    boolean isEnded(int channelIndex) {
        return ended.get(channelIndex);
    }

    BitSet ended() {
        return ended;
    }

    boolean hasRunning() {
        return ended.cardinality() < count;
    }

    boolean isBlocked(int channelIndex) {
        return blocked.get(channelIndex);
    }

    boolean anyBlocked() {
        return !blocked.isEmpty();
    }

    void block(int channelIndex, BarrierDecision decision) {
        blocked.set(channelIndex);
        decision.add(new BarrierAction.Block(channelIndex));
    }

    void unblockAll(BarrierDecision decision) {
        for (int channel = blocked.nextSetBit(0); channel >= 0; channel = blocked.nextSetBit(channel + 1)) {
            decision.add(new BarrierAction.Unblock(channel));
        }
        blocked.clear();
    }
}
