package io.weir.transport.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The inline barrier: no record crosses it.
 *
 * <pre>
 *   0              24              32              40        44         48
 *   +--------------+---------------+---------------+---------+----------+
 *   | frame header | checkpoint id | trigger time  | options | reserved |
 *   +--------------+---------------+---------------+---------+----------+
 * </pre>
 */
public final class BarrierFlyweight {
    /** Offset of the long checkpoint id. */
    public static final int CHECKPOINT_ID_OFFSET = FrameFlyweight.HEADER_LENGTH;

    /** Offset of the long trigger time at the coordinator in epoch nanoseconds. */
    public static final int TRIGGER_TIME_OFFSET = CHECKPOINT_ID_OFFSET + Long.BYTES;

    /** Offset of the int options; opaque to the transport. */
    public static final int OPTIONS_OFFSET = TRIGGER_TIME_OFFSET + Long.BYTES;

    /** Offset of the int of reserved bits, all zero. */
    public static final int RESERVED_OFFSET = OPTIONS_OFFSET + Integer.BYTES;

    /** Bytes of the frame. */
    public static final int LENGTH = RESERVED_OFFSET + Integer.BYTES;

    private BarrierFlyweight() {}

    /**
     * Writes a frame.
     *
     * @param buffer to write to.
     * @param offset of the frame.
     * @param stamp of the sender.
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options opaque to the transport.
     */
    public static void put(
            final MutableDirectBuffer buffer,
            final int offset,
            final FrameStamp stamp,
            final long checkpointId,
            final long triggerTimeNs,
            final int options) {
        FrameFlyweight.putHeader(
                buffer,
                offset,
                stamp,
                FrameFlyweight.kind(FrameFlyweight.BARRIER, 0),
                LENGTH - FrameFlyweight.HEADER_LENGTH);
        buffer.putLong(offset + CHECKPOINT_ID_OFFSET, checkpointId, LITTLE_ENDIAN);
        buffer.putLong(offset + TRIGGER_TIME_OFFSET, triggerTimeNs, LITTLE_ENDIAN);
        buffer.putInt(offset + OPTIONS_OFFSET, options, LITTLE_ENDIAN);
        buffer.putInt(offset + RESERVED_OFFSET, 0, LITTLE_ENDIAN);
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

    /**
     * The trigger time at the coordinator in epoch nanoseconds.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the trigger time at the coordinator in epoch nanoseconds.
     */
    public static long triggerTimeNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + TRIGGER_TIME_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The options.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the options.
     */
    public static int options(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + OPTIONS_OFFSET, LITTLE_ENDIAN);
    }

    static String fault(final DirectBuffer buffer, final int offset) {
        final String fault = FrameFlyweight.shapeFault(buffer, offset, LENGTH);
        if (fault != null) {
            return fault;
        }
        return FrameFlyweight.reservedFault(buffer, offset, RESERVED_OFFSET);
    }
}
