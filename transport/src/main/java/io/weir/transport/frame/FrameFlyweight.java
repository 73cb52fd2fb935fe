package io.weir.transport.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The header that begins every frame, on data and control streams alike. All little-endian; a frame begins on a
 * multiple of 8.
 *
 * <pre>
 *   0         1        2        4                8               12              16              24
 *   +---------+--------+--------+----------------+---------------+---------------+---------------+------
 *   | version |  type  | flags  |    attempt     | channel index |  body length  |   sequence    | body
 *   +---------+--------+--------+----------------+---------------+---------------+---------------+------
 * </pre>
 *
 * The sequence counts the frames of one sender on one stream from 0, so that the receiver notices a missing one.
 */
public final class FrameFlyweight {
    /** The version that this code writes, and the only one it reads. */
    public static final int VERSION = 1;

    /** Offset of the unsigned byte version. */
    public static final int VERSION_OFFSET = 0;

    /** Offset of the unsigned byte type. */
    public static final int TYPE_OFFSET = 1;

    /** Offset of the unsigned short flags; unknown bits are zero. */
    public static final int FLAGS_OFFSET = 2;

    /** Offset of the int execution attempt. */
    public static final int ATTEMPT_OFFSET = 4;

    /** Offset of the int index of the sender's channel in the receiver's gate. */
    public static final int CHANNEL_INDEX_OFFSET = 8;

    /** Offset of the int length of the body. */
    public static final int BODY_LENGTH_OFFSET = 12;

    /** Offset of the long sequence. */
    public static final int SEQUENCE_OFFSET = 16;

    /** Bytes before the body. */
    public static final int HEADER_LENGTH = 24;

    /** Type of a {@link DataFlyweight}. */
    public static final int DATA = 1;

    /** Type of a {@link WatermarkFlyweight}. */
    public static final int WATERMARK = 2;

    /** Type of an {@link IdleFlyweight}. */
    public static final int IDLE = 3;

    /** Type of a {@link BarrierFlyweight}. */
    public static final int BARRIER = 4;

    /** Type of a {@link CancellationFlyweight}. */
    public static final int CANCELLATION = 5;

    /** Type of an {@link EndOfDataFlyweight}. */
    public static final int END_OF_DATA = 6;

    /** Type of an {@link AnnouncementFlyweight}, which travels on control streams only. */
    public static final int ANNOUNCEMENT = 7;

    private static final String[] TYPE_NAMES = {
        "unknown", "DATA", "WATERMARK", "IDLE", "BARRIER", "CANCELLATION", "END_OF_DATA", "ANNOUNCEMENT"
    };

    private FrameFlyweight() {}

    /**
     * The first four bytes of a frame as one int, so that a reader can tell the commonest frame by one comparison.
     *
     * @param type of the frame.
     * @param flags of the frame.
     * @return version, type and flags as {@link #kind(DirectBuffer, int)} reads them.
     */
    public static int kind(final int type, final int flags) {
        return VERSION | type << 8 | flags << 16;
    }

    /**
     * Version, type and flags in one int.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the first four bytes.
     */
    public static int kind(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + VERSION_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The version of the frame.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the version.
     */
    public static int version(final DirectBuffer buffer, final int offset) {
        return buffer.getByte(offset + VERSION_OFFSET) & 0xFF;
    }

    /**
     * The type of the frame.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the type.
     */
    public static int type(final DirectBuffer buffer, final int offset) {
        return buffer.getByte(offset + TYPE_OFFSET) & 0xFF;
    }

    /**
     * The flags of the frame.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the flags.
     */
    public static int flags(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + FLAGS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The execution attempt of the sender.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the attempt.
     */
    public static int attempt(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + ATTEMPT_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The index of the sender's channel in the receiver's gate.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the index.
     */
    public static int channelIndex(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + CHANNEL_INDEX_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The length of the body.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return bytes.
     */
    public static int bodyLength(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + BODY_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The number of the frame among those of its sender on its stream.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the sequence, from 0.
     */
    public static long sequence(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SEQUENCE_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Checks all of a frame but the records inside a {@link DataFlyweight}. Allocates only if there is a fault.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @param length of the frame as the medium tells it.
     * @return null for a good frame, else what was expected and what was found.
     */
    public static String fault(final DirectBuffer buffer, final int offset, final int length) {
        if (length < HEADER_LENGTH) {
            return "expected a frame of at least " + HEADER_LENGTH + " bytes, found " + length;
        }
        if (version(buffer, offset) != VERSION) {
            return "expected frame version " + VERSION + ", found " + version(buffer, offset);
        }
        if (bodyLength(buffer, offset) != length - HEADER_LENGTH) {
            return "expected a body of " + (length - HEADER_LENGTH) + " bytes, found a header that tells "
                    + bodyLength(buffer, offset);
        }
        return switch (type(buffer, offset)) {
            case DATA -> DataFlyweight.fault(buffer, offset);
            case WATERMARK -> shapeFault(buffer, offset, WatermarkFlyweight.LENGTH);
            case IDLE -> shapeFault(buffer, offset, IdleFlyweight.LENGTH);
            case BARRIER -> BarrierFlyweight.fault(buffer, offset);
            case CANCELLATION -> shapeFault(buffer, offset, CancellationFlyweight.LENGTH);
            case END_OF_DATA -> shapeFault(buffer, offset, EndOfDataFlyweight.LENGTH);
            case ANNOUNCEMENT -> AnnouncementFlyweight.fault(buffer, offset);
            default -> "expected a frame type of 1 to " + ANNOUNCEMENT + ", found " + type(buffer, offset);
        };
    }

    /** Frames of a fixed length have no flags: checks both. */
    static String shapeFault(final DirectBuffer buffer, final int offset, final int length) {
        if (bodyLength(buffer, offset) != length - HEADER_LENGTH) {
            return "expected a " + typeName(type(buffer, offset)) + " frame with a body of " + (length - HEADER_LENGTH)
                    + " bytes, found " + bodyLength(buffer, offset);
        }
        if (flags(buffer, offset) != 0) {
            return "expected a " + typeName(type(buffer, offset)) + " frame without flags, found 0x"
                    + Integer.toHexString(flags(buffer, offset));
        }
        return null;
    }

    static String reservedFault(final DirectBuffer buffer, final int offset, final int reservedOffset) {
        final int reserved = buffer.getInt(offset + reservedOffset, LITTLE_ENDIAN);
        return reserved == 0
                ? null
                : "expected reserved bits of zero in a " + typeName(type(buffer, offset)) + " frame, found 0x"
                        + Integer.toHexString(reserved);
    }

    /**
     * The name of a type, for messages.
     *
     * @param type of a frame.
     * @return its name.
     */
    public static String typeName(final int type) {
        return type > 0 && type < TYPE_NAMES.length ? TYPE_NAMES[type] : TYPE_NAMES[0];
    }

    static void putHeader(
            final MutableDirectBuffer buffer,
            final int offset,
            final FrameStamp stamp,
            final int kind,
            final int body) {
        buffer.putInt(offset + VERSION_OFFSET, kind, LITTLE_ENDIAN);
        buffer.putInt(offset + ATTEMPT_OFFSET, stamp.attempt(), LITTLE_ENDIAN);
        buffer.putInt(offset + CHANNEL_INDEX_OFFSET, stamp.channelIndex(), LITTLE_ENDIAN);
        buffer.putInt(offset + BODY_LENGTH_OFFSET, body, LITTLE_ENDIAN);
        buffer.putLong(offset + SEQUENCE_OFFSET, stamp.takeSequence(), LITTLE_ENDIAN);
    }
}
