package io.weir.storage.log;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileMapping;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.file.Path;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The mapped text of a CSV file, inflated first if it is packed.
 *
 * <pre>
 *   segment 0 |---------------- 1 &lt;&lt; shift ----------------|-- overlap --|
 *   segment 1                                              |---------------- 1 &lt;&lt; shift ------ ...
 * </pre>
 *
 * <p>A row lies wholly in the segment that holds its first byte, so that it can be handed on as one buffer.
 */
final class CsvFile {
    private static final int SEGMENT_SHIFT = 30;
    private static final int OVERLAP = 1 << 26;

    private final FileStore files;
    private final Path path;
    private final FileMapping[] segments;
    private final int segmentShift;
    private final int overlap;
    private final long size;
    private final boolean isInflated;

    private CsvFile(
            final FileStore files,
            final Path path,
            final OpenFile text,
            final int segmentShift,
            final int overlap,
            final boolean isInflated) {
        this.files = files;
        this.path = path;
        this.segmentShift = segmentShift;
        this.overlap = overlap;
        this.isInflated = isInflated;
        this.size = text.size();
        segments = new FileMapping[(int) ((size + (1L << segmentShift) - 1) >>> segmentShift)];
        for (int i = 0; i < segments.length; i++) {
            final long base = (long) i << segmentShift;
            segments[i] = text.map(base, (int) Math.min(size - base, (1L << segmentShift) + overlap));
        }
    }

    static CsvFile open(final FileStore files, final Path path, final Path tempFolder) {
        return open(files, path, tempFolder, SEGMENT_SHIFT, OVERLAP);
    }

    static CsvFile open(
            final FileStore files, final Path path, final Path tempFolder, final int segmentShift, final int overlap) {
        try {
            final FileKind kind = files.kind(path);
            if (kind != FileKind.FILE) {
                throw new LogException(
                        path + (kind == FileKind.ABSENT ? " does not exist" : " is a folder, not a CSV file"));
            }
            if (path.toString().endsWith(".gz")) {
                return inflate(files, path, tempFolder, segmentShift, overlap);
            }
            try (OpenFile text = files.openReadOnly(path)) {
                return new CsvFile(files, path, text, segmentShift, overlap, false);
            }
        } catch (final FileException ex) {
            throw new LogException(path + " can't be read: " + ex.getMessage(), ex);
        }
    }

    /** The temporary file loses its name at once; its bytes live as long as the mapping. */
    private static CsvFile inflate(
            final FileStore files, final Path path, final Path tempFolder, final int segmentShift, final int overlap) {
        final Path temporary = tempFolder.resolve("weir-csv-" + UUID.randomUUID());
        try (OpenFile packed = files.openReadOnly(path);
                OpenFile text = files.create(temporary)) {
            GzipFile.inflate(packed, text);
            return new CsvFile(files, path, text, segmentShift, overlap, true);
        } finally {
            files.delete(temporary);
        }
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    UnsafeBuffer segmentOf(final long position) {
        return segments[(int) (position >>> segmentShift)].buffer();
    }

    int offsetOf(final long position) {
        return (int) (position & ((1L << segmentShift) - 1));
    }

    byte byteAt(final long position) {
        return segmentOf(position).getByte(offsetOf(position));
    }

    /** The end of the text that is mapped in one piece with the byte at a position. */
    long contiguousEnd(final long position) {
        return Math.min(size, ((position >>> segmentShift) << segmentShift) + (1L << segmentShift) + overlap);
    }

    /** Counts lines from 1 as an editor does. Reads all that is before the position: for messages only. */
    long lineOf(final long position) {
        long line = 1;
        for (long i = 0; i < Math.min(position, size); i++) {
            if (byteAt(i) == '\n') {
                line++;
            }
        }
        return line;
    }

    String describe(final long position) {
        return path + " line " + lineOf(position);
    }

    LogException error(final long position, final String reason) {
        return new LogException(describe(position) + ": " + reason);
    }

    /** A mapped byte that the disk could not give back: says why if the file has shrunk under us. */
    LogException fault(final InternalError error) {
        if (!isInflated) {
            try (OpenFile now = files.openReadOnly(path)) {
                if (now.size() < size) {
                    return new LogException(
                            path + " has shrunk from " + size + " to " + now.size() + " bytes while open", error);
                }
            } catch (final FileException ex) {
                error.addSuppressed(ex);
            }
        }
        throw error;
    }

    void close() {
        for (final FileMapping segment : segments) {
            segment.close();
        }
    }
}
