package io.weir.engine.sink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A prepared transaction that is not known to be committed. As bytes: {@code [version = 1, 1][checkpoint id, 8][handle]},
 * little-endian.
 */
final class Transaction {
    private static final byte VERSION = 1;
    private static final int HEADER_LENGTH = 1 + Long.BYTES;

    private final long checkpointId;
    private final byte[] handle;

    /** Written on the I/O thread, read there and, for skipping what is done, on the task thread. */
    private volatile boolean forced;

    /** Task thread. */
    private boolean committing;

    Transaction(final long checkpointId, final byte[] handle) {
        this.checkpointId = checkpointId;
        this.handle = handle;
    }

    static Transaction decode(final byte[] bytes) {
        if (bytes.length < HEADER_LENGTH || bytes[0] != VERSION) {
            throw new IllegalStateException("a prepared transaction in the restored checkpoint has "
                    + (bytes.length < HEADER_LENGTH ? bytes.length + " bytes" : "version " + bytes[0])
                    + ": expected at least " + HEADER_LENGTH + " bytes of version " + VERSION);
        }
        final ByteBuffer buffer =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(1);
        final long checkpointId = buffer.getLong();
        final byte[] handle = new byte[buffer.remaining()];
        buffer.get(handle);
        return new Transaction(checkpointId, handle);
    }

    byte[] encode() {
        return ByteBuffer.allocate(HEADER_LENGTH + handle.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(VERSION)
                .putLong(checkpointId)
                .put(handle)
                .array();
    }

    long checkpointId() {
        return checkpointId;
    }

    byte[] handle() {
        return handle;
    }

    boolean isForced() {
        return forced;
    }

    void markForced() {
        forced = true;
    }

    boolean isCommitting() {
        return committing;
    }

    void markCommitting() {
        committing = true;
    }
}
