package io.weir.transport.frame;

import org.agrona.MutableDirectBuffer;

/**
 * The channel has ended: no frame follows.
 *
 * <pre>
 *   0              24
 *   +--------------+
 *   | frame header |
 *   +--------------+
 * </pre>
 */
public final class EndOfDataFlyweight {
    /** Bytes of the frame. */
    public static final int LENGTH = FrameFlyweight.HEADER_LENGTH;

    private EndOfDataFlyweight() {}

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
                FrameFlyweight.kind(FrameFlyweight.END_OF_DATA, 0),
                LENGTH - FrameFlyweight.HEADER_LENGTH);
    }
}
