package io.weir.transport.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * An in-order cancellation of a checkpoint whose barrier will not come on this channel.
 *
 * <pre>
 *   0              24               32
 *   +--------------+----------------+
 *   | frame header | checkpoint id  |
 *   +--------------+----------------+
 * </pre>
 */
public final class CancellationFlyweight {
    /** Offset of the long checkpoint id. */
    public static final int CHECKPOINT_ID_OFFSET = FrameFlyweight.HEADER_LENGTH;

    /** Bytes of the frame. */
    public static final int LENGTH = CHECKPOINT_ID_OFFSET + Long.BYTES;

    private CancellationFlyweight() {}

    /**
     * Writes a frame.
     *
     * @param buffer to write to.
     * @param offset of the frame.
     * @param stamp of the sender.
     * @param checkpointId the checkpoint id.
     */
    public static void put(
            final MutableDirectBuffer buffer, final int offset, final FrameStamp stamp, final long checkpointId) {
        FrameFlyweight.putHeader(
                buffer,
                offset,
                stamp,
                FrameFlyweight.kind(FrameFlyweight.CANCELLATION, 0),
                LENGTH - FrameFlyweight.HEADER_LENGTH);
        buffer.putLong(offset + CHECKPOINT_ID_OFFSET, checkpointId, LITTLE_ENDIAN);
    }

    /**
     * The checkpoint id.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the checkpoint id.
     */
    public static long checkpointId(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + CHECKPOINT_ID_OFFSET, LITTLE_ENDIAN);
    }
}
