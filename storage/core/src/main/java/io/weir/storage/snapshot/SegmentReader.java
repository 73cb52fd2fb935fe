package io.weir.storage.snapshot;

import java.util.List;
import org.agrona.DirectBuffer;

/** Reads one task's segment; length and checksums have been compared with the handle when it is opened. One thread at a time. */
public interface SegmentReader extends AutoCloseable {
    /**
     * Names the segment in errors.
     *
     * @return the file.
     */
    String name();

    /**
     * The sections.
     *
     * @return in written order.
     */
    List<Section> sections();

    /**
     * Reads the entries of a section.
     *
     * @param name of the section.
     * @param visitor that takes the entries in written order.
     * @return the number of entries, 0 also if there is no such section.
     * @throws CorruptionException if the bytes are damaged; it names file, offset, expected and found.
     */
    long forEach(String name, Visitor visitor);

    /** Frees the reader. Idempotent. */
    @Override
    void close();

    /**
     * One section of a segment.
     *
     * @param name of the section.
     * @param attributes as written.
     * @param entries in it.
     */
    record Section(String name, String attributes, long entries) {}

    /** Takes the entries of a section. */
    @FunctionalInterface
    interface Visitor {
        /**
         * One entry.
         *
         * @param keyGroup as written.
         * @param buffer that holds the bytes; valid during the call only.
         * @param offset of the bytes.
         * @param length of the bytes.
         */
        void onEntry(int keyGroup, DirectBuffer buffer, int offset, int length);
    }
}
