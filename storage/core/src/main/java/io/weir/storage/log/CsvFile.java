package io.weir.storage.log;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.agrona.BufferUtil;
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
    private static final int COPY_LENGTH = 1 << 20;

    private final Path path;
    private final UnsafeBuffer[] segments;
    private final int segmentShift;
    private final int overlap;
    private final long size;
    private final boolean inflated;

    private CsvFile(
            final Path path,
            final FileChannel channel,
            final int segmentShift,
            final int overlap,
            final boolean inflated)
            throws IOException {
        this.path = path;
        this.segmentShift = segmentShift;
        this.overlap = overlap;
        this.inflated = inflated;
        this.size = channel.size();
        final int count = (int) ((size + (1L << segmentShift) - 1) >>> segmentShift);
        segments = new UnsafeBuffer[count];
        for (int i = 0; i < count; i++) {
            final long base = (long) i << segmentShift;
            final long length = Math.min(size - base, (1L << segmentShift) + overlap);
            segments[i] = new UnsafeBuffer(channel.map(MapMode.READ_ONLY, base, length));
        }
    }

    static CsvFile open(final Path path, final Path tempFolder) {
        return open(path, tempFolder, SEGMENT_SHIFT, OVERLAP);
    }

    static CsvFile open(final Path path, final Path tempFolder, final int segmentShift, final int overlap) {
        if (Files.isDirectory(path)) {
            throw new LogException(path + " is a folder, not a CSV file");
        }
        if (!Files.exists(path)) {
            throw new LogException(path + " does not exist");
        }
        try {
            if (path.toString().endsWith(".gz")) {
                return inflate(path, tempFolder, segmentShift, overlap);
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                return new CsvFile(path, channel, segmentShift, overlap, false);
            }
        } catch (final IOException ex) {
            throw new LogException(path + " can't be read: " + ex, ex);
        }
    }

    /** The temporary file loses its name at once; its bytes live as long as the mapping. */
    private static CsvFile inflate(final Path path, final Path tempFolder, final int segmentShift, final int overlap)
            throws IOException {
        final Path temporary = Files.createTempFile(tempFolder, "weir-csv-", ".csv");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            try (InputStream packed = new GZIPInputStream(Files.newInputStream(path), COPY_LENGTH)) {
                packed.transferTo(Channels.newOutputStream(channel));
            } catch (final EOFException ex) {
                throw new LogException(path + " is a truncated gzip file: " + channel.size() + " bytes came out", ex);
            } catch (final ZipException ex) {
                throw new LogException(path + " is a corrupt gzip file: " + ex.getMessage(), ex);
            }
            return new CsvFile(path, channel, segmentShift, overlap, true);
        }
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    UnsafeBuffer segmentOf(final long position) {
        return segments[(int) (position >>> segmentShift)];
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
        return path.getFileName() + " line " + lineOf(position);
    }

    LogException error(final long position, final String reason) {
        return new LogException(path + " line " + lineOf(position) + ": " + reason);
    }

    /** A mapped byte that the disk could not give back: says why if the file has shrunk under us. */
    LogException fault(final InternalError error) {
        try {
            final long now = inflated ? size : Files.size(path);
            if (now < size) {
                return new LogException(path + " has shrunk from " + size + " to " + now + " bytes while open", error);
            }
        } catch (final IOException ex) {
            error.addSuppressed(ex);
        }
        throw error;
    }

    void close() {
        for (int i = 0; i < segments.length; i++) {
            final UnsafeBuffer segment = segments[i];
            segments[i] = null;
            if (segment != null) {
                BufferUtil.free(segment.byteBuffer());
            }
        }
    }
}
