package io.weir.storage.snapshot;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.file.Path;

/** Creates and opens segment files. I/O threads; may block. */
public final class SegmentFiles {
    private SegmentFiles() {}

    /**
     * Creates a segment.
     *
     * @param files the disk.
     * @param path of the new file.
     * @param name to put into the handle: the path from the job's folder on.
     * @return its writer.
     * @throws SnapshotException if the file can't be created.
     */
    public static SegmentWriter create(final FileStore files, final Path path, final String name) {
        try {
            return new SegmentFileWriter(files, files.create(path), name);
        } catch (final FileException e) {
            throw new SnapshotException("segment " + name + " can't be created: " + e.getMessage(), e);
        }
    }

    /**
     * Opens a segment and compares length, checksum and index with the handle.
     *
     * @param files the disk.
     * @param path of the file.
     * @param handle of the segment.
     * @return its reader.
     * @throws CorruptionException if it is missing or damaged.
     * @throws SnapshotException if the disk can't read it.
     */
    public static SegmentReader open(final FileStore files, final Path path, final SegmentHandle handle) {
        OpenFile file = null;
        try {
            if (files.kind(path) == FileKind.ABSENT) {
                throw Corruption.at(path.toString(), 0, "a segment of " + handle.length() + " bytes", "no file");
            }
            file = files.openReadOnly(path);
            return SegmentFileReader.open(file, handle);
        } catch (final FileException e) {
            throw closing(file, new SnapshotException("segment " + path + " can't be read: " + e.getMessage(), e));
        } catch (final CorruptionException e) {
            throw closing(file, e);
        }
    }

    private static <E extends RuntimeException> E closing(final OpenFile file, final E failure) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (final FileException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }
}
