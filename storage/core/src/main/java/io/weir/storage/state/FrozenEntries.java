package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentWriter;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A copy of a table's entries in canonical form, in chunks. A chunk holds, one after another,
 *
 * <pre>
 *   0           4        8
 *   +-----------+--------+-------+
 *   | key group | length | entry |
 *   +-----------+--------+-------+
 * </pre>
 *
 * The task thread fills it before the I/O thread writes it.
 */
final class FrozenEntries {
    private static final int HEADER_LENGTH = 2 * Integer.BYTES;
    private static final int FIRST_CHUNK_LENGTH = 4 * 1024;
    private static final int MAX_CHUNK_LENGTH = 1024 * 1024;

    private final String section;
    private final String attributes;
    private final List<UnsafeBuffer> chunks = new ArrayList<>();
    private UnsafeBuffer chunk = new UnsafeBuffer(0, 0);
    private int used;

    FrozenEntries(final String section, final String attributes) {
        this.section = section;
        this.attributes = attributes;
    }

    /** Makes room for an entry in {@link #buffer()} and returns its offset there. */
    int claim(final int keyGroup, final int length) {
        final int needed = Math.addExact(HEADER_LENGTH, length);
        if (chunk.capacity() - used < needed) {
            endChunk();
            final int doubled = Math.min(MAX_CHUNK_LENGTH, Math.max(FIRST_CHUNK_LENGTH, chunk.capacity() * 2));
            chunk = new UnsafeBuffer(new byte[Math.max(needed, doubled)]);
        }
        chunk.putInt(used, keyGroup);
        chunk.putInt(used + Integer.BYTES, length);
        final int offset = used + HEADER_LENGTH;
        used = offset + length;
        return offset;
    }

    MutableDirectBuffer buffer() {
        return chunk;
    }

    private void endChunk() {
        if (used > 0) {
            chunks.add(new UnsafeBuffer(chunk, 0, used));
        }
        used = 0;
    }

    void writeTo(final SegmentWriter writer) {
        endChunk();
        writer.beginSection(section, attributes);
        for (final UnsafeBuffer entries : chunks) {
            int offset = 0;
            while (offset < entries.capacity()) {
                final int length = entries.getInt(offset + Integer.BYTES);
                writer.entry(entries.getInt(offset), entries, offset + HEADER_LENGTH, length);
                offset += HEADER_LENGTH + length;
            }
        }
    }
}
