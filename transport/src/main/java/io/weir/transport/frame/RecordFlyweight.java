package io.weir.transport.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The layout of one record inside a batch. All little-endian, 8-byte aligned.
 *
 * <pre>
 *   0        4        8                16
 *   +--------+--------+----------------+-------------------+----------------+---------+
 *   | length | flags  |  timestamp ns  | source watermark  |  value bytes   | padding |
 *   +--------+--------+----------------+-------------------+----------------+---------+
 *                                       only with BEHIND     length           to 8
 * </pre>
 */
public final class RecordFlyweight {
    /** Offset of the int length of the value in bytes. */
    public static final int LENGTH_OFFSET = 0;

    /** Offset of the int flags; unknown bits are zero. */
    public static final int FLAGS_OFFSET = 4;

    /** Offset of the long timestamp. */
    public static final int TIMESTAMP_OFFSET = 8;

    /** Offset of the long source watermark, where there is one. */
    public static final int SOURCE_WATERMARK_OFFSET = 16;

    /** Bytes before the value of an ordinary record. */
    public static final int HEADER_LENGTH = 16;

    /** Bytes before the value of a record that carries its source watermark. */
    public static final int BEHIND_HEADER_LENGTH = 24;

    /** Flag: the record was at or behind its source's watermark, which follows the timestamp. */
    public static final int BEHIND = 1;

    private RecordFlyweight() {}

    /**
     * The bytes before the value.
     *
     * @param sourceWatermarkNs of the record, {@link Long#MIN_VALUE} for none.
     * @return the header's length in bytes.
     */
    public static int headerLength(final long sourceWatermarkNs) {
        return sourceWatermarkNs == Long.MIN_VALUE ? HEADER_LENGTH : BEHIND_HEADER_LENGTH;
    }

    /**
     * The bytes a record takes in a batch.
     *
     * @param headerLength as of {@link #headerLength(long)}.
     * @param length of the value.
     * @return header, value and padding, a multiple of 8.
     */
    public static int alignedLength(final int headerLength, final int length) {
        return BitUtil.align(headerLength + length, Long.BYTES);
    }

    /**
     * Writes the header of a record whose value is written already at {@code offset + headerLength}.
     *
     * @param buffer to write to.
     * @param offset of the record, 8-byte aligned.
     * @param timestampNs event time.
     * @param sourceWatermarkNs or {@link Long#MIN_VALUE} for none.
     * @param length of the value in bytes.
     */
    public static void putHeader(
            final MutableDirectBuffer buffer,
            final int offset,
            final long timestampNs,
            final long sourceWatermarkNs,
            final int length) {
        buffer.putInt(offset + LENGTH_OFFSET, length, LITTLE_ENDIAN);
        buffer.putLong(offset + TIMESTAMP_OFFSET, timestampNs, LITTLE_ENDIAN);
        if (sourceWatermarkNs == Long.MIN_VALUE) {
            buffer.putInt(offset + FLAGS_OFFSET, 0, LITTLE_ENDIAN);
        } else {
            buffer.putInt(offset + FLAGS_OFFSET, BEHIND, LITTLE_ENDIAN);
            buffer.putLong(offset + SOURCE_WATERMARK_OFFSET, sourceWatermarkNs, LITTLE_ENDIAN);
        }
    }

    /**
     * The length of the value.
     *
     * @param buffer that holds the record.
     * @param offset of the record.
     * @return bytes.
     */
    public static int length(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The flags of the record.
     *
     * @param buffer that holds the record.
     * @param offset of the record.
     * @return the flags.
     */
    public static int flags(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + FLAGS_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The event time of the record.
     *
     * @param buffer that holds the record.
     * @param offset of the record.
     * @return nanoseconds.
     */
    public static long timestampNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + TIMESTAMP_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The source watermark of a record that has the flag {@link #BEHIND}.
     *
     * @param buffer that holds the record.
     * @param offset of the record.
     * @return nanoseconds.
     */
    public static long sourceWatermarkNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SOURCE_WATERMARK_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Checks a record. Allocates only if there is a fault.
     *
     * @param buffer that holds the record.
     * @param offset of the record.
     * @param available bytes from the record's begin to the end of its batch.
     * @return null if the record lies inside the batch, else what was expected and what was found.
     */
    public static String fault(final DirectBuffer buffer, final int offset, final int available) {
        if (available < HEADER_LENGTH) {
            return "expected a record header of " + HEADER_LENGTH + " bytes, found " + available;
        }
        final int flags = flags(buffer, offset);
        if ((flags & ~BEHIND) != 0) {
            return "expected record flags of 0 or " + BEHIND + ", found 0x" + Integer.toHexString(flags);
        }
        final int headerLength = flags == BEHIND ? BEHIND_HEADER_LENGTH : HEADER_LENGTH;
        final int length = length(buffer, offset);
        if (length < 0 || BitUtil.align((long) headerLength + length, Long.BYTES) > available) {
            return "expected a record that fits in " + available + " bytes, found one with a value of " + length;
        }
        return null;
    }
}
