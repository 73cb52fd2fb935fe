package io.weir.transport.frame;

import org.agrona.MutableDirectBuffer;

/**
 * The channel shall not hold back the receiver's watermark until its next record or watermark.
 *
 * <pre>
 *   0              24
 *   +--------------+
 *   | frame header |
 *   +--------------+
 * </pre>
 */
public final class IdleFlyweight {
    /** Bytes of the frame. */
    public static final int LENGTH = FrameFlyweight.HEADER_LENGTH;

    private IdleFlyweight() {}

    /**
     * Writes a frame.
     *
     * @param buffer to write to.
     * @param offset of the frame.
     * @param stamp of the sender.
     */
    public static void put(final MutableDirectBuffer buffer, final int offset, final FrameStamp stamp) {
        FrameFlyweight.putHeader(
                buffer,
                offset,
                stamp,
                FrameFlyweight.kind(FrameFlyweight.IDLE, 0),
                LENGTH - FrameFlyweight.HEADER_LENGTH);
    }
}
