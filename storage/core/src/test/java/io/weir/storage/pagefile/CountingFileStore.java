package io.weir.storage.pagefile;

import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileMapping;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Another store that remembers which files and mappings are open, and how much was read. One thread, but any may close.
 */
public final class CountingFileStore implements FileStore {
    private final FileStore files;
    private final Set<Object> open = ConcurrentHashMap.newKeySet();
    private long readBytes;
    private int mapped;

    /**
     * Counts what is done to a disk.
     *
     * @param files the disk.
     */
    public CountingFileStore(final FileStore files) {
        this.files = files;
    }

    /**
     * Counts what is open now.
     *
     * @return files and mappings.
     */
    public int open() {
        return open.size();
    }

    /** Mappings ever made. */
    int mapped() {
        return mapped;
    }

    /** Bytes read, not through mappings. */
    long readBytes() {
        return readBytes;
    }

    @Override
    public FileKind kind(final Path path) {
        return files.kind(path);
    }

    @Override
    public List<String> list(final Path directory) {
        return files.list(directory);
    }

    @Override
    public OpenFile create(final Path file) {
        return new Counted(files.create(file));
    }

    @Override
    public OpenFile open(final Path file) {
        return new Counted(files.open(file));
    }

    @Override
    public OpenFile openReadOnly(final Path file) {
        return new Counted(files.openReadOnly(file));
    }

    @Override
    public void createDirectory(final Path directory) {
        files.createDirectory(directory);
    }

    @Override
    public void rename(final Path from, final Path to) {
        files.rename(from, to);
    }

    @Override
    public boolean delete(final Path path) {
        return files.delete(path);
    }

    @Override
    public void forceDirectory(final Path directory) {
        files.forceDirectory(directory);
    }

    @Override
    public FileClaim tryClaim(final Path file) {
        return files.tryClaim(file);
    }

    private final class Counted implements OpenFile {
        private final OpenFile file;

        private Counted(final OpenFile file) {
            this.file = file;
            open.add(this);
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public int read(final long position, final ByteBuffer target) {
            final int length = file.read(position, target);
            readBytes += length;
            return length;
        }

        @Override
        public void write(final long position, final ByteBuffer source) {
            file.write(position, source);
        }

        @Override
        public void allocate(final long length) {
            file.allocate(length);
        }

        @Override
        public void truncate(final long length) {
            file.truncate(length);
        }

        @Override
        public FileMapping map(final long position, final int length) {
            final FileMapping mapping = new CountedMapping(file.map(position, length));
            mapped++;
            return mapping;
        }

        @Override
        public void force() {
            file.force();
        }

        @Override
        public void close() {
            file.close();
            open.remove(this);
        }
    }

    private final class CountedMapping implements FileMapping {
        private final FileMapping mapping;

        private CountedMapping(final FileMapping mapping) {
            this.mapping = mapping;
            open.add(this);
        }

        @Override
        public UnsafeBuffer buffer() {
            return mapping.buffer();
        }

        @Override
        public void force() {
            mapping.force();
        }

        @Override
        public void close() {
            mapping.close();
            open.remove(this);
        }
    }
}
