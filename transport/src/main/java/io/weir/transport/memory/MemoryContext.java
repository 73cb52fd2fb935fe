package io.weir.transport.memory;

import org.agrona.BitUtil;

/** The options of a {@link MemoryTransport}. */
public final class MemoryContext {
    private static final int MIN_CAPACITY = 4 * 1024;
    private static final int MAX_CAPACITY = 1024 * 1024 * 1024;
    private static final int MIN_MAX_RECORD_LENGTH = 1024 * 1024;

    private int dataCapacity = 64 * 1024;
    private int controlCapacity = 16 * 1024;
    private int maxBatchLength = 8 * 1024;
    private int maxRecordLength = 4 * 1024 * 1024;

    /**
     * The bytes that can wait on a data stream, padding included.
     *
     * @param dataCapacity a power of two in [4 KiB, 1 GiB].
     * @return this.
     */
    public MemoryContext dataCapacity(final int dataCapacity) {
        this.dataCapacity = dataCapacity;
        return this;
    }

    /**
     * The bytes that can wait on a sender's control stream, padding included.
     *
     * @param controlCapacity a power of two in [4 KiB, 1 GiB].
     * @return this.
     */
    public MemoryContext controlCapacity(final int controlCapacity) {
        this.controlCapacity = controlCapacity;
        return this;
    }

    /**
     * The most bytes of a batch.
     *
     * @param maxBatchLength a multiple of 8, at most half of the data capacity.
     * @return this.
     */
    public MemoryContext maxBatchLength(final int maxBatchLength) {
        this.maxBatchLength = maxBatchLength;
        return this;
    }

    /**
     * The most bytes of a record, header and padding included.
     *
     * @param maxRecordLength at least 1 MiB.
     * @return this.
     */
    public MemoryContext maxRecordLength(final int maxRecordLength) {
        this.maxRecordLength = maxRecordLength;
        return this;
    }

    MemorySettings conclude() {
        checkCapacity("dataCapacity", dataCapacity);
        checkCapacity("controlCapacity", controlCapacity);
        if (maxBatchLength <= 0 || maxBatchLength % Long.BYTES != 0 || maxBatchLength > dataCapacity / 2) {
            throw new IllegalArgumentException("maxBatchLength=" + maxBatchLength
                    + " must be a positive multiple of 8 and <= dataCapacity / 2 = " + dataCapacity / 2);
        }
        if (maxRecordLength < MIN_MAX_RECORD_LENGTH) {
            throw new IllegalArgumentException(
                    "maxRecordLength=" + maxRecordLength + " must be >= " + MIN_MAX_RECORD_LENGTH);
        }
        return new MemorySettings(dataCapacity, controlCapacity, maxBatchLength, maxRecordLength);
    }

    private static void checkCapacity(final String name, final int capacity) {
        if (capacity < MIN_CAPACITY || capacity > MAX_CAPACITY || !BitUtil.isPowerOfTwo(capacity)) {
            throw new IllegalArgumentException(
                    name + '=' + capacity + " must be a power of two in [" + MIN_CAPACITY + ", " + MAX_CAPACITY + ']');
        }
    }

    @Override
    public String toString() {
        return "MemoryContext{dataCapacity=" + dataCapacity
                + ", controlCapacity=" + controlCapacity
                + ", maxBatchLength=" + maxBatchLength
                + ", maxRecordLength=" + maxRecordLength
                + '}';
    }
}
