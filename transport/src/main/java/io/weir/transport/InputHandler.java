package io.weir.transport;

import org.agrona.DirectBuffer;

/**
 * Takes what an {@link InputGate} reads from its data streams, in stream order per channel. Task thread only.
 *
 * <p>Every callback returns whether the gate may go on with the next record or event in the same poll. With
 * {@code false} the poll ends right behind what was just delivered, also in the middle of a batch.
 */
public interface InputHandler {
    /** The {@code sourceWatermarkNs} of a record that was ahead of its source's watermark: it can't be late anywhere. */
    long NO_SOURCE_WATERMARK = Long.MIN_VALUE;

    /**
     * A record arrived.
     *
     * @param channelIndex of the channel in its gate.
     * @param timestampNs event time in nanoseconds, or {@link Long#MIN_VALUE} where none was assigned.
     * @param sourceWatermarkNs the watermark of the record's own source partition when the record was read, if the
     *     record was at or behind it; else {@link #NO_SOURCE_WATERMARK}.
     * @param buffer that holds the value; valid during the call only.
     * @param offset of the value.
     * @param length of the value in bytes.
     * @return whether to go on.
     */
    boolean onRecord(
            int channelIndex, long timestampNs, long sourceWatermarkNs, DirectBuffer buffer, int offset, int length);

    /**
     * A watermark arrived.
     *
     * @param channelIndex of the channel in its gate.
     * @param watermarkNs in event time nanoseconds.
     * @return whether to go on.
     */
    boolean onWatermark(int channelIndex, long watermarkNs);

    /**
     * The channel turned idle; a record or watermark makes it active again.
     *
     * @param channelIndex of the channel in its gate.
     * @return whether to go on.
     */
    boolean onIdle(int channelIndex);

    /**
     * The inline barrier arrived: all records before it have been delivered, none behind it.
     *
     * @param channelIndex of the channel in its gate.
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options as the sender gave them.
     * @return whether to go on.
     */
    boolean onBarrier(int channelIndex, long checkpointId, long triggerTimeNs, int options);

    /**
     * An in-order cancellation arrived.
     *
     * @param channelIndex of the channel in its gate.
     * @param checkpointId that is given up.
     * @return whether to go on.
     */
    boolean onCancellation(int channelIndex, long checkpointId);

    /**
     * The channel has ended; nothing more comes from it.
     *
     * @param channelIndex of the channel in its gate.
     * @return whether to go on.
     */
    boolean onEndOfData(int channelIndex);
}
