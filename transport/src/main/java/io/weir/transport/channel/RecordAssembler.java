package io.weir.transport.channel;

import io.weir.transport.frame.DataFlyweight;
import io.weir.transport.frame.RecordFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts the parts of one long record together. Its buffer grows with the longest record met, up to the limit, and is
 * kept.
 */
final class RecordAssembler {
    private final int maxRecordLength;
    // Of the same class as the log's buffers, so that the reader's calls stay with one receiver type.
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
    private int length;

    RecordAssembler(final int maxRecordLength) {
        this.maxRecordLength = maxRecordLength;
    }

    /** Takes over the parts of a record that another has put together so far. */
    void copyOf(final RecordAssembler other) {
        length = 0;
        ensureCapacity(other.length);
        buffer.putBytes(0, other.buffer, 0, other.length);
        length = other.length;
    }

    boolean isOpen() {
        return length > 0;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    int length() {
        return length;
    }

    /** Takes a part; gives null, or what was expected and found. */
    String append(final int flags, final DirectBuffer source, final int offset, final int partLength) {
        final boolean begins = (flags & DataFlyweight.BEGIN) != 0;
        if (begins == isOpen()) {
            return begins
                    ? "expected the next part of a record, found the begin of another"
                    : "expected the begin of a record, found a later part of one";
        }
        if (partLength > maxRecordLength - length) {
            return "expected a record of at most " + maxRecordLength + " bytes (maxRecordLength), found at least "
                    + ((long) length + partLength);
        }
        ensureCapacity(length + partLength);
        buffer.putBytes(length, source, offset, partLength);
        length += partLength;
        return (flags & DataFlyweight.END) == 0 ? null : wholeFault();
    }

    void clear() {
        length = 0;
    }

    private void ensureCapacity(final int capacity) {
        if (capacity > buffer.capacity()) {
            final long doubled = Math.max(capacity, 2L * buffer.capacity());
            final byte[] grown = new byte[(int) Math.min(doubled, maxRecordLength)];
            buffer.getBytes(0, grown, 0, length);
            buffer.wrap(grown);
        }
    }

    private String wholeFault() {
        final String fault = RecordFlyweight.fault(buffer, 0, length);
        if (fault != null) {
            return fault;
        }
        final int valueLength = RecordFlyweight.length(buffer, 0);
        final int headerLength = RecordFlyweight.flags(buffer, 0) == RecordFlyweight.BEHIND
                ? RecordFlyweight.BEHIND_HEADER_LENGTH
                : RecordFlyweight.HEADER_LENGTH;
        final int expected = RecordFlyweight.alignedLength(headerLength, valueLength);
        return expected == length
                ? null
                : "expected parts of " + expected + " bytes for a record with a value of " + valueLength + ", found "
                        + length;
    }
}
