package io.weir.storage.snapshot;

/**
 * A finished segment.
 *
 * @param file name relative to the job's folder in the checkpoint store, such as {@code chk-7/window-0.segment}; in a
 *     savepoint relative to the savepoint's own folder.
 * @param length in bytes.
 * @param checksum CRC-32C that vouches for the whole file: over all its bytes, or, where the file ends with an index that holds
 *     the checksums of everything before, over that index and what follows it.
 * @param entries in all sections together; pages in a segment of pages.
 */
public record SegmentHandle(String file, long length, int checksum, long entries) {}
