package io.weir.storage.page;

import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileMapping;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A disk on which each new file has little space. */
record LimitedDisk(FileStore files, long maxLength) implements FileStore {
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
        return new LimitedFile(files.create(file), maxLength);
    }

    @Override
    public OpenFile open(final Path file) {
        return files.open(file);
    }

    @Override
    public OpenFile openReadOnly(final Path file) {
        return files.openReadOnly(file);
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

    private record LimitedFile(OpenFile file, long maxLength) implements OpenFile {
        private void check(final long length) {
            if (length > maxLength) {
                throw new FileException("can't grow " + file.path() + ": no space left on the limited disk");
            }
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
            return file.read(position, target);
        }

        @Override
        public void write(final long position, final ByteBuffer source) {
            check(position + source.remaining());
            file.write(position, source);
        }

        @Override
        public void allocate(final long length) {
            check(length);
            file.allocate(length);
        }

        @Override
        public void truncate(final long length) {
            file.truncate(length);
        }

        @Override
        public FileMapping map(final long position, final int length) {
            return file.map(position, length);
        }

        @Override
        public void force() {
            file.force();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
