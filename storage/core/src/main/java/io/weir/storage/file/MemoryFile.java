package io.weir.storage.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The bytes of a file that is kept in memory, at most 2 GiB. Guarded by the store it belongs to. */
final class MemoryFile {
    private byte[] bytes = new byte[0];
    private int size;
    private final List<Mapping> mappings = new ArrayList<>();

    int size() {
        return size;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    int read(final long position, final ByteBuffer target) {
        final int length = (int) Math.max(0, Math.min(target.remaining(), size - position));
        if (length > 0) {
            target.put(bytes, (int) position, length);
        }
        return length;
    }

    void write(final long position, final ByteBuffer source) {
        final int length = source.remaining();
        grow(Math.addExact(position, length));
        source.get(bytes, (int) position, length);
    }

    void grow(final long length) {
        if (length > Integer.MAX_VALUE - 8) {
            throw new FileException("a file in memory can't grow to " + length + " bytes");
        }
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(length, bytes.length * 2L)));
            mappings.forEach(mapping -> mapping.buffer.wrap(bytes, mapping.position, mapping.length));
        }
        size = Math.max(size, (int) length);
    }

    void truncate(final long length) {
        if (length < size) {
            Arrays.fill(bytes, (int) length, size, (byte) 0);
            size = (int) length;
        }
    }

    Mapping map(final long position, final int length) {
        if (position < 0 || length < 0 || position + length > size) {
            throw new FileException(
                    "can't map [" + position + ", " + (position + length) + "): the file has " + size + " bytes");
        }
        final Mapping mapping = new Mapping((int) position, length);
        mappings.add(mapping);
        return mapping;
    }

    /** A view of the bytes that moves along when they do. */
    final class Mapping {
        private final int position;
        private final int length;
        private final UnsafeBuffer buffer;

        private Mapping(final int position, final int length) {
            this.position = position;
            this.length = length;
            this.buffer = new UnsafeBuffer(bytes, position, length);
        }

        UnsafeBuffer buffer() {
            return buffer;
        }

        void close() {
            if (mappings.remove(this)) {
                buffer.wrap(new byte[0]);
            }
        }
    }
}
