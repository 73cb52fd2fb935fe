package io.weir.storage.chronicle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * The memory in which one writer gathers records before they go to a file: a bounded number of buffers that are used again.
 * Taken by the task thread, given back by any.
 */
final class StagingChunks {
    private final int length;
    private final int limit;
    private final ManyToOneConcurrentArrayQueue<ByteBuffer> free;
    private int made;

    /**
     * Without memory yet.
     *
     * @param length of a chunk in bytes.
     * @param limit of chunks, at least 2.
     */
    StagingChunks(final int length, final int limit) {
        this.length = length;
        this.limit = limit;
        free = new ManyToOneConcurrentArrayQueue<>(limit);
    }

    /** Gives an empty chunk, little-endian, or null if all are in use. */
    ByteBuffer tryTake() {
        final ByteBuffer chunk = free.poll();
        if (chunk != null) {
            return chunk;
        }
        return made < limit ? make() : null;
    }

    /** Gives an empty chunk, over the limit if need be: a transaction has one at least. */
    ByteBuffer take() {
        final ByteBuffer chunk = tryTake();
        return chunk == null ? make() : chunk;
    }

    /** Takes a chunk back; those over the limit are left to the collector. */
    void give(final ByteBuffer chunk) {
        free.offer(chunk.clear());
    }

    private ByteBuffer make() {
        made++;
        return ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
