package io.weir.transport.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * An event time watermark.
 *
 * <pre>
 *   0              24               32
 *   +--------------+----------------+
 *   | frame header | watermark ns   |
 *   +--------------+----------------+
 * </pre>
 */
public final class WatermarkFlyweight {
    /** Offset of the long watermark in event time nanoseconds. */
    public static final int WATERMARK_OFFSET = FrameFlyweight.HEADER_LENGTH;

    /** Bytes of the frame. */
    public static final int LENGTH = WATERMARK_OFFSET + Long.BYTES;

    private WatermarkFlyweight() {}

    /**
     * Writes a frame.
     *
     * @param buffer to write to.
     * @param offset of the frame.
     * @param stamp of the sender.
     * @param watermarkNs the watermark in event time nanoseconds.
     */
    public static void put(
            final MutableDirectBuffer buffer, final int offset, final FrameStamp stamp, final long watermarkNs) {
        FrameFlyweight.putHeader(
                buffer,
                offset,
                stamp,
                FrameFlyweight.kind(FrameFlyweight.WATERMARK, 0),
                LENGTH - FrameFlyweight.HEADER_LENGTH);
        buffer.putLong(offset + WATERMARK_OFFSET, watermarkNs, LITTLE_ENDIAN);
    }

    /**
     * The watermark in event time nanoseconds.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the watermark in event time nanoseconds.
     */
    public static long watermarkNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + WATERMARK_OFFSET, LITTLE_ENDIAN);
    }
}
