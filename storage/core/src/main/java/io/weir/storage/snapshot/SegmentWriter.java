package io.weir.storage.snapshot;

import org.agrona.DirectBuffer;

/**
 * Writes one task's segment: named sections of checksummed blocks. I/O thread only; may block.
 *
 * <p>Errors of the disk are {@link SnapshotException}s; after one, abandon the segment (a failed force is never tried
 * again on the same file).
 */
public interface SegmentWriter extends AutoCloseable {
    /**
     * Begins a section; the one before ends.
     *
     * @param name such as {@code state/uid/name} or {@code operator/uid/name}; unique in the segment.
     * @param attributes free text kept with it, such as codec signatures.
     */
    void beginSection(String name, String attributes);

    /**
     * Adds one entry to the section.
     *
     * @param keyGroup of the entry, -1 where it has none.
     * @param buffer that holds the entry's bytes.
     * @param offset of the bytes.
     * @param length of the bytes, may be 0.
     */
    void entry(int keyGroup, DirectBuffer buffer, int offset, int length);

    /**
     * Writes index and footer, forces everything to disk, and closes the segment.
     *
     * @return what the manifest has to know to find it and check it.
     */
    SegmentHandle finish();

    /** Abandons the segment unless it was finished: deletes what was written. Idempotent. */
    @Override
    void close();
}
