package io.weir.transport;

import org.agrona.DirectBuffer;

/** Takes what an {@link InputGate} captures ahead of a channel's cursor. Task thread only. */
public interface CaptureHandler {
    /**
     * Whole records, back to back, each laid out as {@link io.weir.transport.frame.RecordFlyweight} says.
     *
     * @param channelIndex of the channel in its gate.
     * @param buffer that holds the records; valid during the call only.
     * @param offset of the first record.
     * @param length of all records in bytes, positive.
     */
    void onCapturedRecords(int channelIndex, DirectBuffer buffer, int offset, int length);

    /**
     * A barrier lies ahead. The capture stands before it.
     *
     * @param channelIndex of the channel in its gate.
     * @param checkpointId that the barrier belongs to.
     * @return whether to go on behind it; else it is met again by the next capture.
     */
    boolean onBarrierAhead(int channelIndex, long checkpointId);

    /**
     * A cancellation lies ahead. The capture stands before it.
     *
     * @param channelIndex of the channel in its gate.
     * @param checkpointId that is given up.
     * @return whether to go on behind it; else it is met again by the next capture.
     */
    boolean onCancellationAhead(int channelIndex, long checkpointId);

    /**
     * The end of data lies ahead. The capture stands before it.
     *
     * @param channelIndex of the channel in its gate.
     */
    void onEndOfDataAhead(int channelIndex);
}
