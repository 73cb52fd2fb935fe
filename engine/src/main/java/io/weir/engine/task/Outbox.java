package io.weir.engine.task;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import io.weir.transport.OutputChannel;
import io.weir.transport.TransportException;
import io.weir.transport.frame.RecordFlyweight;
import org.agrona.ExpandableDirectByteBuffer;

/**
 * What a task has emitted to one channel and the channel has not taken yet: batches of records and, in their place in the
 * order, watermarks, barriers and the end. Grows if it must, so that a task only ever stops between records.
 *
 * <p>Records gather in an open batch, which goes out when it is full or at the end of the duty cycle.
 *
 * <pre>
 *   0        4        8
 *   +--------+--------+----------------------------------+
 *   | length |  type  | records, or the event's fields   |   one item, 8-byte aligned
 *   +--------+--------+----------------------------------+
 * </pre>
 */
final class Outbox {
    private static final int TYPE_OFFSET = 4;
    private static final int ITEM_HEADER_LENGTH = 8;
    private static final int INITIAL_BATCHES = 4;
    private static final int NONE = -1;

    private static final int BATCH = 1;
    private static final int LARGE_RECORD = 2;
    private static final int WATERMARK = 3;
    private static final int IDLE = 4;
    private static final int BARRIER = 5;
    private static final int CANCELLATION = 6;
    private static final int END_OF_DATA = 7;

    private final ExpandableDirectByteBuffer buffer;
    private final String name;
    private final OutputChannel channel;
    private final Backpressure backpressure;
    private final int maxBatchLength;
    private final int maxRecordLength;
    private int head;
    private int tail;
    private int openBatch = NONE;
    private int fragmentOffset;

    Outbox(final String name, final OutputChannel channel, final Backpressure backpressure) {
        this.name = name;
        this.channel = channel;
        this.backpressure = backpressure;
        maxBatchLength = channel.maxBatchLength();
        maxRecordLength = channel.maxRecordLength();
        buffer = new ExpandableDirectByteBuffer(INITIAL_BATCHES * maxBatchLength);
    }

    <T> void append(final Codec<T> codec, final T value, final long timestampNs, final long sourceWatermarkNs) {
        final int headerLength = RecordFlyweight.headerLength(sourceWatermarkNs);
        if (openBatch == NONE) {
            openBatch();
        }
        int length = codec.encode(value, buffer, tail + headerLength);
        int alignedLength = RecordFlyweight.alignedLength(headerLength, length);
        if (tail + alignedLength - recordsOffset() > maxBatchLength) {
            length = appendSlowPath(codec, value, headerLength, alignedLength);
            alignedLength = RecordFlyweight.alignedLength(headerLength, length);
        }
        RecordFlyweight.putHeader(buffer, tail, timestampNs, sourceWatermarkNs, length);
        tail += alignedLength;
        if (alignedLength > maxBatchLength) {
            closeBatch(LARGE_RECORD);
            drain();
        }
    }

    void watermark(final long watermarkNs) {
        final int item = beginEvent(WATERMARK, Long.BYTES);
        buffer.putLong(item, watermarkNs, LITTLE_ENDIAN);
    }

    void idle() {
        beginEvent(IDLE, 0);
    }

    void barrier(final long checkpointId, final long triggerTimeNs, final int options) {
        final int item = beginEvent(BARRIER, 3 * Long.BYTES);
        buffer.putLong(item, checkpointId, LITTLE_ENDIAN);
        buffer.putLong(item + Long.BYTES, triggerTimeNs, LITTLE_ENDIAN);
        buffer.putInt(item + 2 * Long.BYTES, options, LITTLE_ENDIAN);
    }

    void cancellation(final long checkpointId) {
        final int item = beginEvent(CANCELLATION, Long.BYTES);
        buffer.putLong(item, checkpointId, LITTLE_ENDIAN);
    }

    void endOfData() {
        beginEvent(END_OF_DATA, 0);
    }

    /** Offers everything, the open batch too. */
    boolean flush() {
        if (openBatch != NONE) {
            closeBatch(BATCH);
        }
        return drain();
    }

    /** Offers what is complete, in order, until the channel blocks. */
    boolean drain() {
        while (head < tail && head != openBatch) {
            final int length = buffer.getInt(head, LITTLE_ENDIAN);
            if (!offer(buffer.getInt(head + TYPE_OFFSET, LITTLE_ENDIAN), head + ITEM_HEADER_LENGTH, length)) {
                backpressure.raise();
                return false;
            }
            head += ITEM_HEADER_LENGTH + length;
        }
        if (head == tail) {
            head = 0;
            tail = 0;
        }
        return true;
    }

    boolean isEmpty() {
        return head == tail;
    }

    void close() {
        channel.close();
    }

    private <T> int appendSlowPath(
            final Codec<T> codec, final T value, final int headerLength, final int alignedLength) {
        if (alignedLength > maxRecordLength) {
            throw TaskException.permanent(
                    "channel " + name + ": a record of " + alignedLength
                            + " bytes with its header exceeds maxRecordLength=" + maxRecordLength,
                    null);
        }
        if (tail != recordsOffset()) {
            closeBatch(BATCH);
            drain();
            openBatch();
        }
        return codec.encode(value, buffer, tail + headerLength);
    }

    private int recordsOffset() {
        return openBatch + ITEM_HEADER_LENGTH;
    }

    private void openBatch() {
        openBatch = tail;
        tail += ITEM_HEADER_LENGTH;
    }

    private void closeBatch(final int type) {
        putItemHeader(openBatch, type, tail - recordsOffset());
        openBatch = NONE;
    }

    private int beginEvent(final int type, final int length) {
        if (openBatch != NONE) {
            closeBatch(BATCH);
        }
        putItemHeader(tail, type, length);
        final int fields = tail + ITEM_HEADER_LENGTH;
        tail = fields + length;
        return fields;
    }

    private void putItemHeader(final int item, final int type, final int length) {
        buffer.putInt(item, length, LITTLE_ENDIAN);
        buffer.putInt(item + TYPE_OFFSET, type, LITTLE_ENDIAN);
    }

    private boolean offer(final int type, final int offset, final int length) {
        return switch (type) {
            case BATCH -> taken(channel.offerBatch(buffer, offset, length));
            case LARGE_RECORD -> offerFragments(offset, length);
            case WATERMARK -> taken(channel.offerWatermark(buffer.getLong(offset, LITTLE_ENDIAN)));
            case IDLE -> taken(channel.offerIdle());
            case BARRIER ->
                taken(channel.offerBarrier(
                        buffer.getLong(offset, LITTLE_ENDIAN),
                        buffer.getLong(offset + Long.BYTES, LITTLE_ENDIAN),
                        buffer.getInt(offset + 2 * Long.BYTES, LITTLE_ENDIAN)));
            case CANCELLATION -> taken(channel.offerCancellation(buffer.getLong(offset, LITTLE_ENDIAN)));
            case END_OF_DATA -> taken(channel.offerEndOfData());
            default -> throw new IllegalStateException("outbox of channel " + name + " holds an item of type " + type);
        };
    }

    private boolean offerFragments(final int offset, final int length) {
        while (fragmentOffset < length) {
            final int part = Math.min(maxBatchLength, length - fragmentOffset);
            final int begin = fragmentOffset == 0 ? OutputChannel.BEGIN_RECORD : 0;
            final int end = fragmentOffset + part == length ? OutputChannel.END_RECORD : 0;
            if (!taken(channel.offerFragment(begin | end, buffer, offset + fragmentOffset, part))) {
                return false;
            }
            fragmentOffset += part;
        }
        fragmentOffset = 0;
        return true;
    }

    private boolean taken(final long result) {
        if (result == OutputChannel.CLOSED) {
            throw new TransportException("channel " + name + ": the receiver has gone");
        }
        return result >= 0;
    }
}
