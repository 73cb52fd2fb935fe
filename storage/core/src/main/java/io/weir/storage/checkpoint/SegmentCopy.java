package io.weir.storage.checkpoint;

import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.pagefile.PageSegmentReader;
import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Copies segments from one disk to another, or the same, and compares every byte with what vouches for it. May block. */
final class SegmentCopy {
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final FileStore sourceFiles;
    private final FileStore files;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH);

    SegmentCopy(final FileStore sourceFiles, final FileStore files) {
        this.sourceFiles = sourceFiles;
        this.files = files;
    }

    /**
     * Copies a segment and makes its bytes durable.
     *
     * @param source that is read.
     * @param handle of it.
     * @param target a file that is made, or made anew.
     * @throws CorruptionException if the source is damaged; it names file, offset, expected and found.
     * @throws io.weir.storage.file.FileException if a disk fails.
     */
    void copy(final Path source, final SegmentHandle handle, final Path target) {
        files.delete(target);
        final CRC32C checksum = new CRC32C();
        try (OpenFile from = sourceFiles.openReadOnly(source)) {
            Corruption.check(source.toString(), 0, "length", handle.length(), from.size());
            try (OpenFile to = files.create(target)) {
                copy(from, to, handle.length(), checksum);
                to.force();
            }
        }
        if ((int) checksum.getValue() != handle.checksum()) {
            checkPages(source, handle);
        }
    }

    private void copy(final OpenFile from, final OpenFile to, final long length, final CRC32C checksum) {
        long position = 0;
        while (position < length) {
            buffer.clear().limit((int) Math.min(BUFFER_LENGTH, length - position));
            final int read = from.read(position, buffer);
            if (read <= 0) {
                throw Corruption.at(from.path().toString(), position, length + " bytes", position + " bytes");
            }
            checksum.update(buffer.flip());
            to.write(position, buffer.rewind());
            position += read;
        }
    }

    /** The checksum of a segment of pages is that of its index, which holds those of all blocks. */
    private void checkPages(final Path source, final SegmentHandle handle) {
        try (PageSegmentReader pages = PageSegmentReader.open(sourceFiles, source, handle)) {
            pages.verify(damage -> {
                throw damage;
            });
        }
    }
}
