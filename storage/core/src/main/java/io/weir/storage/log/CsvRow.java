package io.weir.storage.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The fields of one CSV row (RFC 4180) over the row's own bytes: a reusable flyweight. Quotes are taken off and doubled
 * quotes made single. Allocates nothing but in the methods that return objects. One thread.
 */
public final class CsvRow {
    /** What the decoder puts in the place of bytes that are no text. */
    private static final char REPLACEMENT = '\uFFFD';

    private final List<String> columns;
    private final int[] offsets;
    private final int[] lengths;
    private final boolean[] unescaped;
    private final MutableDirectBuffer scratch = new ExpandableArrayBuffer();
    private DirectBuffer buffer;
    private int scratchLength;

    /**
     * A row of a file with these columns.
     *
     * @param columns names in file order, each once.
     * @throws LogException if a name comes twice.
     */
    public CsvRow(final List<String> columns) {
        this.columns = List.copyOf(columns);
        final Set<String> seen = new HashSet<>();
        for (final String column : columns) {
            if (!seen.add(column)) {
                throw new LogException("the header names column '" + column + "' twice");
            }
        }
        offsets = new int[columns.size()];
        lengths = new int[columns.size()];
        unescaped = new boolean[columns.size()];
    }

    /**
     * The columns.
     *
     * @return names in file order.
     */
    public List<String> columns() {
        return columns;
    }

    /**
     * Finds a column. Look it up once, not per record.
     *
     * @param name of the column.
     * @return its index.
     * @throws LogException if there is none.
     */
    public int column(final String name) {
        final int index = columns.indexOf(name);
        if (index < 0) {
            throw new LogException("there is no column '" + name + "' among " + columns);
        }
        return index;
    }

    /**
     * Takes up a row. The views are valid as long as the bytes are.
     *
     * @param row buffer that holds the row.
     * @param offset of the row.
     * @param length of the row in bytes, without line end.
     * @return this row.
     * @throws LogException if the number of fields is not that of the columns, or the quotes are wrong.
     */
    public CsvRow wrap(final DirectBuffer row, final int offset, final int length) {
        buffer = row;
        scratchLength = 0;
        final int end = offset + length;
        int at = offset;
        int field = 0;
        while (true) {
            if (field == columns.size()) {
                throw new LogException("the row has more fields than the " + field + " columns of the header");
            }
            at = at < end && row.getByte(at) == '"' ? quoted(field, at, end) : plain(field, at, end);
            field++;
            if (at == end) {
                break;
            }
            at++;
        }
        if (field < columns.size()) {
            throw new LogException("the row ends before column '" + columns.get(field) + "': it has " + field
                    + " fields, the header " + columns.size());
        }
        return this;
    }

    /**
     * The buffer that holds a field: the row's, or one of this flyweight if quotes had to be unescaped.
     *
     * @param column index.
     * @return the buffer to read at {@link #offset}.
     */
    public DirectBuffer buffer(final int column) {
        return unescaped[column] ? scratch : buffer;
    }

    /**
     * Where a field begins.
     *
     * @param column index.
     * @return offset in {@link #buffer(int)}.
     */
    public int offset(final int column) {
        return offsets[column];
    }

    /**
     * How long a field is.
     *
     * @param column index.
     * @return length in bytes.
     */
    public int length(final int column) {
        return lengths[column];
    }

    /**
     * Asks for an empty field.
     *
     * @param column index.
     * @return whether the field has no byte.
     */
    public boolean isEmpty(final int column) {
        return lengths[column] == 0;
    }

    /**
     * A field as whole number. Allocates nothing.
     *
     * @param column index.
     * @return the number.
     * @throws LogException if it is none, or is beyond 64 bits.
     */
    public long asLong(final int column) {
        return asScaledLong(column, 0);
    }

    /**
     * A decimal field as whole number of its smallest unit: {@code 12.5} at scale 3 is 12500. Exact; allocates nothing.
     *
     * @param column index.
     * @param scale decimals kept, in [0, 18].
     * @return the number times ten to the scale.
     * @throws LogException if it is no plain decimal, needs more decimals, or is beyond 64 bits.
     */
    public long asScaledLong(final int column, final int scale) {
        final DirectBuffer text = buffer(column);
        final int end = offsets[column] + lengths[column];
        int at = offsets[column];
        final boolean negative = at < end && text.getByte(at) == '-';
        if (at < end && (negative || text.getByte(at) == '+')) {
            at++;
        }
        long value = 0;
        int decimals = -1;
        int digits = 0;
        for (; at < end; at++) {
            final byte b = text.getByte(at);
            if (b == '.' && decimals < 0) {
                decimals = 0;
                continue;
            }
            if (b < '0' || b > '9') {
                throw malformed(column, "is no decimal number");
            }
            digits++;
            if (decimals >= 0 && decimals >= scale) {
                if (b != '0') {
                    throw malformed(column, "has more than " + scale + " decimals");
                }
                continue;
            }
            decimals += decimals >= 0 ? 1 : 0;
            value = timesTenMinus(column, value, b - '0');
        }
        if (digits == 0) {
            throw malformed(column, "is no decimal number");
        }
        for (int i = Math.max(decimals, 0); i < scale; i++) {
            value = timesTenMinus(column, value, 0);
        }
        if (!negative && value == Long.MIN_VALUE) {
            throw malformed(column, "is beyond 64 bits");
        }
        return negative ? value : -value;
    }

    /**
     * A field as exact decimal. Allocates.
     *
     * @param column index.
     * @return the number with the scale it is written in.
     * @throws LogException if it is none.
     */
    public BigDecimal asDecimal(final int column) {
        try {
            return new BigDecimal(asString(column));
        } catch (final NumberFormatException ex) {
            throw new LogException(malformed(column, "is no decimal number").getMessage(), ex);
        }
    }

    /**
     * A field as text. Allocates.
     *
     * @param column index.
     * @return the text, decoded as UTF-8.
     * @throws LogException if the bytes are no UTF-8; it names the column.
     */
    public String asString(final int column) {
        final byte[] bytes = new byte[lengths[column]];
        buffer(column).getBytes(offsets[column], bytes);
        final String text = new String(bytes, UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(text.getBytes(UTF_8), bytes)) {
            throw new LogException("column '" + columns.get(column) + "' is no UTF-8 text: '" + text + "'");
        }
        return text;
    }

    private int plain(final int field, final int start, final int end) {
        final int at = CsvScanner.find(buffer, CsvScanner.COMMAS, CsvScanner.QUOTES, start, end);
        if (at < end && buffer.getByte(at) == '"') {
            throw new LogException("column '" + columns.get(field) + "': a quote inside a field without quotes");
        }
        return put(field, start, at - start, false, at);
    }

    private int quoted(final int field, final int opening, final int end) {
        final int scratchStart = scratchLength;
        boolean doubled = false;
        int at = opening + 1;
        int copied = at;
        while (true) {
            at = CsvScanner.find(buffer, CsvScanner.QUOTES, CsvScanner.QUOTES, at, end);
            if (at == end) {
                throw new LogException("column '" + columns.get(field) + "': the quote is never closed");
            }
            if (at + 1 == end || buffer.getByte(at + 1) != '"') {
                break;
            }
            doubled = true;
            copy(copied, at + 1);
            at += 2;
            copied = at;
        }
        if (at + 1 < end && buffer.getByte(at + 1) != ',') {
            throw new LogException("column '" + columns.get(field) + "': text behind the closing quote");
        }
        if (!doubled) {
            return put(field, opening + 1, at - opening - 1, false, at + 1);
        }
        copy(copied, at);
        return put(field, scratchStart, scratchLength - scratchStart, true, at + 1);
    }

    private void copy(final int from, final int to) {
        scratch.putBytes(scratchLength, buffer, from, to - from);
        scratchLength += to - from;
    }

    private int put(final int field, final int offset, final int length, final boolean fromScratch, final int next) {
        offsets[field] = offset;
        lengths[field] = length;
        unescaped[field] = fromScratch;
        return next;
    }

    /** Gathers below zero, where one more number fits than above. */
    private long timesTenMinus(final int column, final long value, final int digit) {
        if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
            throw malformed(column, "is beyond 64 bits");
        }
        return value * 10 - digit;
    }

    private LogException malformed(final int column, final String reason) {
        return new LogException("column '" + columns.get(column) + "': '" + asString(column) + "' " + reason);
    }
}
