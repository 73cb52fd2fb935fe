package io.weir.storage.log;

import org.agrona.DirectBuffer;

/** Takes records from a {@link LogReader}. */
@FunctionalInterface
public interface LogHandler {
    /**
     * One record.
     *
     * @param position of this record.
     * @param nextPosition of the record after it: where to open the partition to go on behind this one.
     * @param buffer that holds the record; valid during the call only.
     * @param offset of the record.
     * @param length of the record in bytes.
     * @return whether the reader may go on with the next record in the same poll.
     */
    boolean onRecord(long position, long nextPosition, DirectBuffer buffer, int offset, int length);
}
