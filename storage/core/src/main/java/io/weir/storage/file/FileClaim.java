package io.weir.storage.file;

/** A lock on a file that no other process and nobody else in this one holds; it dies with the process. */
public interface FileClaim extends AutoCloseable {
    /** Gives up the lock; the locked file stays. Idempotent, any thread. */
    @Override
    void close();
}
