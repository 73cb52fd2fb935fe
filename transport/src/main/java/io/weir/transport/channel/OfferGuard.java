package io.weir.transport.channel;

import io.weir.transport.OutputChannel;
import io.weir.transport.TransportException;
import io.weir.transport.frame.RecordFlyweight;
import org.agrona.DirectBuffer;

/**
 * Checks at the door what a caller offers to a channel of any medium, and that the parts of a long record come in order,
 * with nothing in between. Upstream task's thread only.
 */
public final class OfferGuard {
    private static final int WHOLE = OutputChannel.BEGIN_RECORD | OutputChannel.END_RECORD;

    private final String name;
    private final int maxBatchLength;
    private final int maxRecordLength;
    private int openRecordLength;

    /**
     * A guard for one channel.
     *
     * @param name of the channel.
     * @param maxBatchLength of the channel.
     * @param maxRecordLength of the channel.
     */
    public OfferGuard(final String name, final int maxBatchLength, final int maxRecordLength) {
        this.name = name;
        this.maxBatchLength = maxBatchLength;
        this.maxRecordLength = maxRecordLength;
    }

    /**
     * The name of the channel.
     *
     * @return the name.
     */
    public String name() {
        return name;
    }

    /**
     * The most bytes of a batch or part.
     *
     * @return bytes.
     */
    public int maxBatchLength() {
        return maxBatchLength;
    }

    /**
     * The most bytes of a record.
     *
     * @return bytes.
     */
    public int maxRecordLength() {
        return maxRecordLength;
    }

    /**
     * Checks a batch.
     *
     * @param length of the batch.
     */
    public void checkBatch(final int length) {
        if (length <= 0 || length > maxBatchLength || (length & Long.BYTES - 1) != 0) {
            throw new IllegalArgumentException(
                    name + ": length=" + length + " must be in (0, " + maxBatchLength + "] and a multiple of 8");
        }
        checkNoOpenRecord();
    }

    /** Checks that no long record is under way. */
    public void checkNoOpenRecord() {
        if (openRecordLength > 0) {
            throw new IllegalArgumentException(name + ": expected the next part of a record, of which "
                    + openRecordLength + " bytes are out; nothing goes in between");
        }
    }

    /**
     * Checks a part of a record.
     *
     * @param flags of the part.
     * @param buffer that holds the part.
     * @param offset of the part.
     * @param length of the part.
     * @throws TransportException if the record is longer than the limit; the first part is not out yet then, if it holds
     *     the record's length.
     */
    public void checkFragment(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        if ((flags & ~WHOLE) != 0) {
            throw new IllegalArgumentException(name + ": flags=" + flags + " must be of BEGIN_RECORD and END_RECORD");
        }
        if ((flags & OutputChannel.BEGIN_RECORD) != 0) {
            checkNoOpenRecord();
            if (length >= RecordFlyweight.HEADER_LENGTH) {
                checkRecordLength(RecordFlyweight.HEADER_LENGTH + (long) RecordFlyweight.length(buffer, offset));
            }
        } else if (openRecordLength == 0) {
            throw new IllegalArgumentException(name + ": expected a part with BEGIN_RECORD, found a later one");
        }
        if (flags == WHOLE) {
            checkBatch(length);
        } else if (length <= 0 || length > maxBatchLength) {
            throw new IllegalArgumentException(name + ": length=" + length + " must be in (0, " + maxBatchLength + "]");
        }
        checkRecordLength((long) openRecordLength + length);
    }

    /**
     * Takes note of a part that went out.
     *
     * @param flags of the part.
     * @param length of the part.
     */
    public void onFragmentSent(final int flags, final int length) {
        openRecordLength = (flags & OutputChannel.END_RECORD) != 0 ? 0 : openRecordLength + length;
    }

    private void checkRecordLength(final long length) {
        if (length > maxRecordLength) {
            throw new TransportException(name + ": expected a record of at most " + maxRecordLength
                    + " bytes (maxRecordLength), found one of at least " + length);
        }
    }
}
