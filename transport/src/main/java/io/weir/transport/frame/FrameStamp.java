package io.weir.transport.frame;

/**
 * What all frames of one sender on one stream share, and the count of them. One stamp per stream; sender's thread only.
 * Every frame written with it takes the next sequence, so write only where the frame is sure to go out.
 */
public final class FrameStamp {
    private final int attempt;
    private final int channelIndex;
    private long nextSequence;

    /**
     * A stamp whose first frame has the sequence 0.
     *
     * @param attempt execution attempt.
     * @param channelIndex of the sender's channel in the receiver's gate.
     */
    public FrameStamp(final int attempt, final int channelIndex) {
        this.attempt = attempt;
        this.channelIndex = channelIndex;
    }

    int attempt() {
        return attempt;
    }

    int channelIndex() {
        return channelIndex;
    }

    long takeSequence() {
        return nextSequence++;
    }
}
