package io.weir.engine.task;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.transport.OutputChannel;
import io.weir.transport.frame.RecordFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableDirectByteBuffer;

/**
 * What a task has emitted to one channel and the channel has not taken yet: batches of records and, in their place in the
 * order, watermarks, barriers and the end. Grows if it must, so that a task only ever stops between records.
 *
 * <p>Records gather in an open batch, which goes out when it is full or at the end of the duty cycle. A barrier that overtakes
 * goes out ahead of all that, but behind a record that has been sent by half.
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
    private static final int OVERTAKEN_BY_ITSELF = 8;

    private final ExpandableDirectByteBuffer buffer;
    private final OvertakingBarriers overtaking;
    private final String name;
    private final int index;
    private final OutputChannel channel;
    private final Backpressure backpressure;
    private final SentBarriers sentBarriers;
    private final int maxBatchLength;
    private final int maxRecordLength;
    private int head;
    private int tail;
    private int openBatch = NONE;
    private int fragmentOffset;

    /**
     * An outbox.
     *
     * @param index among the task's outputs.
     * @param sentBarriers hears of announced barriers that have left.
     */
    Outbox(
            final String name,
            final int index,
            final OutputChannel channel,
            final Backpressure backpressure,
            final SentBarriers sentBarriers) {
        this.name = name;
        this.index = index;
        this.channel = channel;
        this.backpressure = backpressure;
        this.sentBarriers = sentBarriers;
        overtaking = new OvertakingBarriers(name, channel);
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

    /** Adds a barrier behind everything. */
    void barrier(final long checkpointId, final long triggerTimeNs, final int options) {
        final int item = beginEvent(BARRIER, 3 * Long.BYTES);
        buffer.putLong(item, checkpointId, LITTLE_ENDIAN);
        buffer.putLong(item + Long.BYTES, triggerTimeNs, LITTLE_ENDIAN);
        buffer.putInt(item + 2 * Long.BYTES, options, LITTLE_ENDIAN);
    }

    /** Adds a barrier behind everything, and announces it. */
    void announcedBarrier(final long checkpointId, final long triggerTimeNs, final int options) {
        final boolean isNext = isEmpty();
        barrier(checkpointId, triggerTimeNs, options);
        overtaking.announce(checkpointId, triggerTimeNs, options, isNext);
    }

    /**
     * Puts a barrier ahead of everything that is unsent, and announces it.
     *
     * @param overtaken takes the records that it overtakes.
     */
    void overtakingBarrier(
            final long checkpointId, final long triggerTimeNs, final int options, final RecordSink overtaken) {
        if (openBatch != NONE) {
            closeBatch(BATCH);
        }
        hand(overtaken, tail);
        overtaking.add(checkpointId, triggerTimeNs, options, fragmentOffset == 0);
    }

    /**
     * Moves a barrier that was added behind everything, and has not left, ahead of what is unsent, and announces it once more.
     *
     * @param overtaken takes the records that it overtakes.
     * @return whether the barrier had not left.
     */
    boolean overtake(final long checkpointId, final long triggerTimeNs, final int options, final RecordSink overtaken) {
        for (int item = head; item < tail && item != openBatch; item = nextItem(item)) {
            if (type(item) == BARRIER && buffer.getLong(item + ITEM_HEADER_LENGTH, LITTLE_ENDIAN) == checkpointId) {
                buffer.putInt(item + TYPE_OFFSET, OVERTAKEN_BY_ITSELF, LITTLE_ENDIAN);
                hand(overtaken, item);
                overtaking.add(checkpointId, triggerTimeNs, options, fragmentOffset == 0);
                return true;
            }
        }
        return false;
    }

    private void hand(final RecordSink overtaken, final int end) {
        for (int item = fragmentOffset == 0 ? head : nextItem(head); item < end; item = nextItem(item)) {
            if (type(item) == BATCH || type(item) == LARGE_RECORD) {
                overtaken.add(index, buffer, item + ITEM_HEADER_LENGTH, length(item));
            }
        }
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
        if (!overtaking.sendAnnouncements()) {
            backpressure.raise();
            return false;
        }
        while (overtaking.hasNext() || (head < tail && head != openBatch)) {
            if (!offerNext()) {
                backpressure.raise();
                return false;
            }
        }
        if (head == tail) {
            head = 0;
            tail = 0;
        }
        return true;
    }

    boolean isEmpty() {
        return head == tail && overtaking.isEmpty();
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

    private int length(final int item) {
        return buffer.getInt(item, LITTLE_ENDIAN);
    }

    private int type(final int item) {
        return buffer.getInt(item + TYPE_OFFSET, LITTLE_ENDIAN);
    }

    private int nextItem(final int item) {
        return item + ITEM_HEADER_LENGTH + length(item);
    }

    private void putItemHeader(final int item, final int type, final int length) {
        buffer.putInt(item, length, LITTLE_ENDIAN);
        buffer.putInt(item + TYPE_OFFSET, type, LITTLE_ENDIAN);
    }

    private boolean offerNext() {
        if (fragmentOffset == 0 && overtaking.hasNext()) {
            return overtaking.offerNext();
        }
        if (!offer(type(head), head + ITEM_HEADER_LENGTH, length(head))) {
            return false;
        }
        head = nextItem(head);
        return true;
    }

    private boolean offer(final int type, final int offset, final int length) {
        return switch (type) {
            case BATCH -> taken(channel.offerBatch(buffer, offset, length));
            case LARGE_RECORD -> offerFragments(offset, length);
            case WATERMARK -> taken(channel.offerWatermark(buffer.getLong(offset, LITTLE_ENDIAN)));
            case IDLE -> taken(channel.offerIdle());
            case BARRIER -> offerBarrier(offset);
            case CANCELLATION -> taken(channel.offerCancellation(buffer.getLong(offset, LITTLE_ENDIAN)));
            case END_OF_DATA -> taken(channel.offerEndOfData());
            case OVERTAKEN_BY_ITSELF -> true;
            default -> throw new IllegalStateException("outbox of channel " + name + " holds an item of type " + type);
        };
    }

    private boolean offerBarrier(final int offset) {
        final long checkpointId = buffer.getLong(offset, LITTLE_ENDIAN);
        final int options = buffer.getInt(offset + 2 * Long.BYTES, LITTLE_ENDIAN);
        if (!taken(channel.offerBarrier(checkpointId, buffer.getLong(offset + Long.BYTES, LITTLE_ENDIAN), options))) {
            return false;
        }
        if (BarrierOptions.mayOvertake(options)) {
            sentBarriers.add(index, checkpointId);
        }
        return true;
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
        return OvertakingBarriers.isTaken(name, result);
    }

    /** Takes records that a barrier overtakes. */
    interface RecordSink {
        /** Whole records back to back, as they go out; the bytes are to be copied. */
        void add(int outputIndex, DirectBuffer buffer, int offset, int length);
    }
}
