package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import io.weir.storage.log.CsvRow;
import io.weir.storage.log.LogException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Reads rows of a CSV file as ticks or metrics. Columns are found by name: {@code source}, {@code arrival}, {@code key},
 * {@code event_ns} and those of the values must be there; {@code sub} is 0 where it is not. Other columns are ignored.
 *
 * @param <T> type of the records.
 */
public final class CsvCodec<T extends Row> implements Codec<T> {
    private static final int ABSENT = -1;
    private static final long MAX_TIME_NS = Long.MAX_VALUE / 2;

    private final List<String> header;
    private final List<String> valueColumns;
    private final String idColumn;
    private final Shape<T> shape;
    private final CsvRow row;
    private final int source;
    private final int arrival;
    private final int sub;
    private final int key;
    private final int eventNs;
    private final int id;
    private final int[] values;

    private CsvCodec(
            final List<String> header, final List<String> valueColumns, final String idColumn, final Shape<T> shape) {
        this.header = List.copyOf(header);
        this.valueColumns = valueColumns;
        this.idColumn = idColumn;
        this.shape = shape;
        checkColumns();
        row = new CsvRow(header);
        source = row.column("source");
        arrival = row.column("arrival");
        sub = header.indexOf("sub");
        key = row.column("key");
        eventNs = row.column("event_ns");
        id = idColumn == null ? ABSENT : row.column(idColumn);
        values = valueColumns.stream().mapToInt(row::column).toArray();
    }

    /**
     * Reads ticks: value columns {@code price} and {@code qty}.
     *
     * @param header of the file.
     * @param idColumn column of the ids, null for none.
     * @return the codec.
     * @throws IllegalArgumentException if a column is missing; the message names it.
     */
    public static CsvCodec<Tick> ticks(final List<String> header, final String idColumn) {
        return new CsvCodec<>(
                header,
                List.of("price", "qty"),
                idColumn,
                (source, place, key, values) -> new Tick(
                        source, place.arrival(), place.sub(), key, place.eventNs(), place.id(), values[0], values[1]));
    }

    /**
     * Reads metrics: value column {@code value}.
     *
     * @param header of the file.
     * @param idColumn column of the ids, null for none.
     * @return the codec.
     * @throws IllegalArgumentException if a column is missing; the message names it.
     */
    public static CsvCodec<Metric> metrics(final List<String> header, final String idColumn) {
        return new CsvCodec<>(
                header,
                List.of("value"),
                idColumn,
                (source, place, key, values) ->
                        new Metric(source, place.arrival(), place.sub(), key, place.eventNs(), place.id(), values[0]));
    }

    @Override
    public String signature() {
        return "csv" + header;
    }

    /** Rows are read only: give the stream another codec behind the source. */
    @Override
    public int encode(final T value, final MutableDirectBuffer buffer, final int offset) {
        throw new UnsupportedOperationException("rows of a CSV file are read only");
    }

    @Override
    public T decode(final DirectBuffer buffer, final int offset, final int length) {
        try {
            row.wrap(buffer, offset, length);
            final BigDecimal[] decimals = new BigDecimal[values.length];
            for (int i = 0; i < values.length; i++) {
                decimals[i] = decimal(values[i]);
            }
            final Place place = new Place(
                    time(eventNs), id == ABSENT ? "" : text(id), number(arrival), sub == ABSENT ? 0 : number(sub));
            return shape.of(text(source), place, text(key), decimals);
        } catch (final LogException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public Codec<T> forTask() {
        return new CsvCodec<>(header, valueColumns, idColumn, shape);
    }

    private void checkColumns() {
        final List<String> needed = new ArrayList<>(List.of("source", "arrival", "key", "event_ns"));
        needed.addAll(valueColumns);
        if (idColumn != null) {
            needed.add(idColumn);
        }
        needed.removeAll(header);
        if (!needed.isEmpty()) {
            throw new IllegalArgumentException((needed.size() == 1 ? "no column '" : "no columns '")
                    + String.join("', '", needed) + "' in the header " + String.join(",", header));
        }
    }

    private String text(final int column) {
        refuseEmpty(column);
        return row.asString(column);
    }

    private long number(final int column) {
        refuseEmpty(column);
        return row.asLong(column);
    }

    /** Bounded so that windows, bounds and watermarks around it are numbers too. */
    private long time(final int column) {
        final long time = number(column);
        if (time < -MAX_TIME_NS || time > MAX_TIME_NS) {
            throw new IllegalArgumentException("column '" + header.get(column) + "': " + time + " must be in [-"
                    + MAX_TIME_NS + ", " + MAX_TIME_NS + "]");
        }
        return time;
    }

    private BigDecimal decimal(final int column) {
        refuseEmpty(column);
        try {
            return Decimals.parse(row.asString(column));
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("column '" + header.get(column) + "': " + e.getMessage(), e);
        }
    }

    private void refuseEmpty(final int column) {
        if (row.isEmpty(column)) {
            throw new IllegalArgumentException("column '" + header.get(column) + "' is empty");
        }
    }

    /** Makes a record of its parts. */
    @FunctionalInterface
    private interface Shape<T> {
        T of(String source, Place place, String key, BigDecimal[] values);
    }
}
