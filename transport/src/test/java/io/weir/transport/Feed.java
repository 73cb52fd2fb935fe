package io.weir.transport;

import io.weir.transport.frame.RecordFlyweight;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** Encodes records as an upstream task does. */
public final class Feed {
    private final MutableDirectBuffer buffer = new ExpandableArrayBuffer(256);
    private int length;

    public MutableDirectBuffer buffer() {
        return buffer;
    }

    public int length() {
        return length;
    }

    public Feed clear() {
        length = 0;
        return this;
    }

    public Feed add(final long timestampNs, final int valueLength) {
        return add(timestampNs, InputHandler.NO_SOURCE_WATERMARK, valueLength);
    }

    /** Adds a record whose bytes follow from its timestamp, so that a receiver can check all of them. */
    public Feed add(final long timestampNs, final long sourceWatermarkNs, final int valueLength) {
        final int headerLength = RecordFlyweight.headerLength(sourceWatermarkNs);
        final int valueOffset = length + headerLength;
        buffer.setMemory(length, RecordFlyweight.alignedLength(headerLength, valueLength), (byte) 0);
        for (int i = 0; i < valueLength; i++) {
            buffer.putByte(valueOffset + i, valueByte(timestampNs, i));
        }
        RecordFlyweight.putHeader(buffer, length, timestampNs, sourceWatermarkNs, valueLength);
        length += RecordFlyweight.alignedLength(headerLength, valueLength);
        return this;
    }

    public static byte valueByte(final long timestampNs, final int index) {
        return (byte) (timestampNs * 31 + index);
    }

    /** Offers what was added as one batch, whatever comes of it. */
    public long offerBatch(final OutputChannel output) {
        return output.offerBatch(buffer, 0, length);
    }
}
