package io.weir.transport.memory;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A ring of frames, each in one piece. Positions count bytes as a log's do, the skipped rest before a wrap included.
 *
 * <pre>
 *   0        8
 *   +--------+-------------------+---------+
 *   | length | frame             | padding |     a negative length: the rest of the ring is skipped
 *   +--------+-------------------+ to 32   |
 *                                +---------+
 * </pre>
 */
final class FrameLog {
    private static final int FRAME_OFFSET = Long.BYTES;
    private static final int ALIGNMENT = 32;
    private static final int SKIP = -1;

    private final int mask;
    private final UnsafeBuffer buffer;
    private long head;
    private long tail;

    FrameLog(final int capacity) {
        mask = capacity - 1;
        buffer = new UnsafeBuffer(new byte[capacity]);
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    long head() {
        return head;
    }

    /** Gives the position after the frame, which is to be written at the offset that follows from it, or -1. */
    long claim(final int length, final int limit) {
        final int needed = BitUtil.align(FRAME_OFFSET + length, ALIGNMENT);
        final int rest = mask + 1 - ((int) tail & mask);
        int skipped = needed > rest ? rest : 0;
        if (skipped > 0 && head == tail) {
            // Nothing waits, so the rest takes no room: else a frame longer than half the ring might never fit.
            tail += skipped;
            head = tail;
            skipped = 0;
        }
        if (tail + skipped + needed - head > Math.min(limit, mask + 1)) {
            return -1;
        }
        if (skipped > 0) {
            buffer.putInt((int) tail & mask, SKIP);
            tail += skipped;
        }
        buffer.putInt((int) tail & mask, length);
        tail += needed;
        return tail;
    }

    /** The offset of a frame that was claimed up to a position. */
    int offset(final long position, final int length) {
        return ((int) (position - BitUtil.align(FRAME_OFFSET + length, ALIGNMENT)) & mask) + FRAME_OFFSET;
    }

    /** Where the frame at a position begins: behind the rest of the ring that is skipped there. */
    long begin(final long position) {
        final boolean isSkipped = position < tail && buffer.getInt((int) position & mask) == SKIP;
        return isSkipped ? position + mask + 1 - ((int) position & mask) : position;
    }

    /** The length of the frame that begins at a position, or 0 if there is none. */
    int lengthAt(final long begin) {
        return begin == tail ? 0 : buffer.getInt((int) begin & mask);
    }

    int offsetAt(final long begin) {
        return ((int) begin & mask) + FRAME_OFFSET;
    }

    /** The position behind the frame that begins at a position. */
    long end(final long begin) {
        return begin + BitUtil.align(FRAME_OFFSET + lengthAt(begin), ALIGNMENT);
    }

    /** Gives the room before a position back. */
    void consumeTo(final long position) {
        head = position;
    }
}
