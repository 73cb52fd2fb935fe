package io.weir.transport.frame;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A batch of whole records, or a part of one record that is longer than a frame.
 *
 * <pre>
 *   0              24
 *   +--------------+-----------------------------------------------------------------+
 *   | frame header | BEGIN and END: whole records as {@link RecordFlyweight}, a multiple of 8 |
 *   | flags        | BEGIN, none, END: first, middle, last part of one record         |
 *   +--------------+-----------------------------------------------------------------+
 * </pre>
 */
public final class DataFlyweight {
    /** Flag: the body begins with the begin of a record. */
    public static final int BEGIN = 1;

    /** Flag: the body ends with the end of a record. */
    public static final int END = 2;

    /** Flags of a batch of whole records. */
    public static final int WHOLE = BEGIN | END;

    /** Offset of the body. */
    public static final int BODY_OFFSET = FrameFlyweight.HEADER_LENGTH;

    /** What {@link FrameFlyweight#kind(DirectBuffer, int)} gives for a batch of whole records. */
    public static final int WHOLE_KIND = FrameFlyweight.kind(FrameFlyweight.DATA, WHOLE);

    private DataFlyweight() {}

    /**
     * Writes a frame.
     *
     * @param buffer to write to.
     * @param offset of the frame.
     * @param stamp of the sender.
     * @param flags {@link #BEGIN} and {@link #END}.
     * @param source of the body.
     * @param sourceOffset of the body.
     * @param length of the body.
     */
    public static void put(
            final MutableDirectBuffer buffer,
            final int offset,
            final FrameStamp stamp,
            final int flags,
            final DirectBuffer source,
            final int sourceOffset,
            final int length) {
        FrameFlyweight.putHeader(buffer, offset, stamp, FrameFlyweight.kind(FrameFlyweight.DATA, flags), length);
        buffer.putBytes(offset + BODY_OFFSET, source, sourceOffset, length);
    }

    static String fault(final DirectBuffer buffer, final int offset) {
        final int flags = FrameFlyweight.flags(buffer, offset);
        if ((flags & ~WHOLE) != 0) {
            return "expected flags of BEGIN and END in a DATA frame, found 0x" + Integer.toHexString(flags);
        }
        final int length = FrameFlyweight.bodyLength(buffer, offset);
        if (length == 0) {
            return "expected a DATA frame with a body, found none";
        }
        if (flags == WHOLE && (length & Long.BYTES - 1) != 0) {
            return "expected a batch whose length is a multiple of 8, found " + length;
        }
        return null;
    }
}
