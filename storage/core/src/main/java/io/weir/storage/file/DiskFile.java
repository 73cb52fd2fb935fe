package io.weir.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** An open file of the {@link DiskFileStore}. */
final class DiskFile implements OpenFile {
    private static final int ZEROS_LENGTH = 64 * 1024;

    private final Path path;
    private final FileChannel channel;
    private final boolean writable;

    DiskFile(final Path path, final FileChannel channel, final boolean writable) {
        this.path = path;
        this.channel = channel;
        this.writable = writable;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long size() {
        try {
            return channel.size();
        } catch (final IOException e) {
            throw DiskFileStore.failed("get the size of", path, e);
        }
    }

    @Override
    public int read(final long position, final ByteBuffer target) {
        final int start = target.position();
        try {
            while (target.hasRemaining()) {
                if (channel.read(target, position + target.position() - start) < 0) {
                    break;
                }
            }
        } catch (final IOException e) {
            throw DiskFileStore.failed("read at " + position + " of", path, e);
        }
        return target.position() - start;
    }

    @Override
    public void write(final long position, final ByteBuffer source) {
        final int start = source.position();
        try {
            while (source.hasRemaining()) {
                channel.write(source, position + source.position() - start);
            }
        } catch (final IOException e) {
            throw DiskFileStore.failed("write at " + position + " of", path, e);
        }
    }

    @Override
    public void allocate(final long length) {
        // Java has no fallocate; zeros that were really written are the portable way to own the space.
        final ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.max(0, Math.min(ZEROS_LENGTH, length - size())));
        for (long position = size(); position < length; position += zeros.limit()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), length - position));
            write(position, zeros);
        }
    }

    @Override
    public void truncate(final long length) {
        try {
            channel.truncate(length);
        } catch (final IOException e) {
            throw DiskFileStore.failed("truncate to " + length + " bytes", path, e);
        }
    }

    @Override
    public FileMapping map(final long position, final int length) {
        try {
            final long size = channel.size();
            if (position < 0 || length < 0 || position + length > size) {
                throw new FileException("can't map [" + position + ", " + (position + length) + ") of " + path
                        + ": it has " + size + " bytes");
            }
            final FileChannel.MapMode mode = writable ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY;
            return new DiskMapping(path, channel.map(mode, position, length));
        } catch (final IOException e) {
            throw DiskFileStore.failed("map", path, e);
        }
    }

    @Override
    public void force() {
        try {
            channel.force(false);
        } catch (final IOException e) {
            throw DiskFileStore.failed("force", path, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException e) {
            throw DiskFileStore.failed("close", path, e);
        }
    }

    private static final class DiskMapping implements FileMapping {
        private final Path path;
        private final UnsafeBuffer buffer;
        private MappedByteBuffer mapped;

        private DiskMapping(final Path path, final MappedByteBuffer mapped) {
            this.path = path;
            this.mapped = mapped;
            this.buffer = new UnsafeBuffer(mapped);
        }

        @Override
        public UnsafeBuffer buffer() {
            return buffer;
        }

        @Override
        public void force() {
            try {
                mapped.force();
            } catch (final java.io.UncheckedIOException e) {
                throw DiskFileStore.failed("force a mapping of", path, e);
            }
        }

        @Override
        public void close() {
            final MappedByteBuffer open = mapped;
            if (open != null) {
                mapped = null;
                buffer.wrap(0, 0);
                IoUtil.unmap(open);
            }
        }
    }
}
