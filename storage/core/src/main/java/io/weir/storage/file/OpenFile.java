package io.weir.storage.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** An open file. One thread at a time, but for the threads that use its mappings; every call may block. */
public interface OpenFile extends AutoCloseable {
    /**
     * Names the file in errors.
     *
     * @return its path.
     */
    Path path();

    /**
     * The file's length now.
     *
     * @return in bytes.
     */
    long size();

    /**
     * Reads from a place until the buffer is full or the file ends.
     *
     * @param position in the file.
     * @param target filled from its position on, which moves.
     * @return bytes read; fewer than remained in the buffer only at the end of the file, where it is 0.
     * @throws FileException if the disk can't read.
     */
    int read(long position, ByteBuffer target);

    /**
     * Writes a buffer's remaining bytes, all of them, to a place; the file grows where needed.
     *
     * @param position in the file.
     * @param source whose position moves to its limit.
     * @throws FileException if the disk can't take them; some may have been written.
     */
    void write(long position, ByteBuffer source);

    /**
     * Lets the file grow to a length with real space behind it (zeros), so that a later write or mapping below that length
     * meets no full disk. A longer file stays as it is.
     *
     * @param length in bytes.
     * @throws FileException if the space is not there.
     */
    void allocate(long length);

    /**
     * Cuts the file off.
     *
     * @param length in bytes, at most the file's length.
     * @throws FileException if that failed.
     */
    void truncate(long length);

    /**
     * Maps a part of the file that is there already (see {@link #allocate}); for reading only if the file was opened so. The
     * mapping outlives the open file.
     *
     * @param position of the part in the file.
     * @param length of the part in bytes.
     * @return the mapping.
     * @throws FileException if that failed.
     */
    FileMapping map(long position, int length);

    /**
     * Makes the file's bytes and length durable (not its name: {@link FileStore#forceDirectory}).
     *
     * @throws FileException if that failed; it is never tried again on the same file.
     */
    void force();

    /** Closes the file without forcing it. Idempotent. */
    @Override
    void close();
}
