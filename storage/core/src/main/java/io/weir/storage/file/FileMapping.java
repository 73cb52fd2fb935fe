package io.weir.storage.file;

import org.agrona.concurrent.UnsafeBuffer;

/** A part of a file in memory. */
public interface FileMapping extends AutoCloseable {
    /**
     * The mapped bytes. Never touch them after {@link #close()}, and never write to those of a file that was opened for
     * reading only: the process would die.
     *
     * @return a buffer of exactly the mapped length, the same one on each call.
     */
    UnsafeBuffer buffer();

    /**
     * Makes what was written through the mapping durable. May block.
     *
     * @throws FileException if that failed; it is never tried again on the same file.
     */
    void force();

    /** Takes the bytes out of memory. Idempotent. */
    @Override
    void close();
}
