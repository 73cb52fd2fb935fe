package io.weir.storage.log;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds the rows of a CSV file (RFC 4180): a line end inside quotes belongs to its row. Allocates nothing. One thread.
 *
 * <p>Quotes that are wrong cost one line: where a quote stands inside a field, is never closed, or has text behind the closing
 * one, the row ends with the line in which that field begins, and whoever reads the row with a {@link CsvRow} is told what is
 * wrong. So a quote too many does not swallow the file. It may still find a later one that closes it by the rules; then the
 * row has the lines in between, and rarely the right number of fields.
 */
final class CsvScanner {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    static final long QUOTES = ONES * '"';
    static final long COMMAS = ONES * ',';
    private static final long LINE_FEEDS = ONES * '\n';

    private static final int MALFORMED = -1;

    private final CsvFile file;
    private UnsafeBuffer buffer;
    private int offset;
    private int length;
    private long position;
    private long nextPosition;

    CsvScanner(final CsvFile file) {
        this.file = file;
    }

    /**
     * Moves to the first row that is not empty.
     *
     * @param from a position where a row or an empty line begins.
     * @param end of the text to look at.
     * @return whether there is one before the end.
     */
    boolean next(final long from, final long end) {
        long at = from;
        while (at < end) {
            scan(at);
            if (length > 0) {
                return true;
            }
            at = nextPosition;
        }
        nextPosition = Math.max(from, end);
        return false;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    long position() {
        return position;
    }

    long nextPosition() {
        return nextPosition;
    }

    private void scan(final long at) {
        final long textEnd = file.contiguousEnd(at);
        buffer = file.segmentOf(at);
        offset = file.offsetOf(at);
        position = at;
        final int limit = offset + (int) (textEnd - at);
        int i = find(buffer, LINE_FEEDS, QUOTES, offset, limit);
        while (i < limit && buffer.getByte(i) == '"') {
            final int behind = behindQuotes(i, limit);
            i = behind == MALFORMED
                    ? find(buffer, LINE_FEEDS, LINE_FEEDS, i, limit)
                    : find(buffer, LINE_FEEDS, QUOTES, behind, limit);
        }
        if (i == limit && textEnd != file.size()) {
            throw file.error(at, "the row is longer than " + (textEnd - at) + " bytes");
        }
        nextPosition = at + Math.min(i + 1, limit) - offset;
        length = (i > offset && buffer.getByte(i - 1) == '\r' ? i - 1 : i) - offset;
    }

    /** Goes from an opening quote to behind its closing one, if the two are as they must be. */
    private int behindQuotes(final int opening, final int limit) {
        if (opening != offset && buffer.getByte(opening - 1) != ',') {
            return MALFORMED;
        }
        int i = opening + 1;
        while (true) {
            i = find(buffer, QUOTES, QUOTES, i, limit);
            if (i == limit) {
                return MALFORMED;
            }
            if (i + 1 < limit && buffer.getByte(i + 1) == '"') {
                i += 2;
                continue;
            }
            final byte behind = i + 1 < limit ? buffer.getByte(i + 1) : (byte) '\n';
            if (behind != ',' && behind != '\n' && behind != '\r') {
                return MALFORMED;
            }
            return i + 1;
        }
    }

    /**
     * Finds the first of two byte values, eight bytes at a time: 0x80 is left where a byte equals one of the patterns; the
     * lowest such mark is exact.
     *
     * @return its offset, or the limit.
     */
    static int find(final DirectBuffer text, final long pattern, final long other, final int from, final int limit) {
        int i = from;
        for (; i + Long.BYTES <= limit; i += Long.BYTES) {
            final long word = text.getLong(i, ByteOrder.LITTLE_ENDIAN);
            final long a = word ^ pattern;
            final long b = word ^ other;
            final long marks = (((a - ONES) & ~a) | ((b - ONES) & ~b)) & HIGHS;
            if (marks != 0) {
                return i + (Long.numberOfTrailingZeros(marks) >>> 3);
            }
        }
        for (; i < limit; i++) {
            final byte b = text.getByte(i);
            if (b == (byte) pattern || b == (byte) other) {
                return i;
            }
        }
        return limit;
    }
}
