package io.weir.engine.cli.job;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.Codec;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * One of the jobs that {@code weir run} knows: what it reads and what it makes of it.
 *
 * @param <T> type of the records.
 * @param <A> type of the accumulator.
 * @param <W> type of the windows.
 */
public final class JobKind<T extends Row, A, W extends Window> {
    /** Ticks: open, high, low, close, volume, notional and VWAP. */
    public static final JobKind<Tick, ?, OhlcWindow> OHLC = new JobKind<>(
            "ohlc",
            OhlcWindow.COLUMNS,
            CsvCodec::ticks,
            Tick::codec,
            () -> Codec.ofRecord(Ohlc.class),
            OhlcWindow::codec,
            OhlcAggregate::new);

    /** Metrics: count, min, max, sum, mean, first and last. */
    public static final JobKind<Metric, ?, StatsWindow> STATS = new JobKind<>(
            "stats",
            StatsWindow.COLUMNS,
            CsvCodec::metrics,
            Metric::codec,
            () -> Codec.ofRecord(Stats.class),
            StatsWindow::codec,
            StatsAggregate::new);

    private final String name;
    private final List<String> columns;
    private final BiFunction<List<String>, String, CsvCodec<T>> csvCodec;
    private final Supplier<Codec<T>> rowCodec;
    private final Supplier<Codec<A>> accumulatorCodec;
    private final Supplier<Codec<W>> windowCodec;
    private final Supplier<AggregateFunction<T, A, W>> aggregate;

    private JobKind(
            final String name,
            final List<String> columns,
            final BiFunction<List<String>, String, CsvCodec<T>> csvCodec,
            final Supplier<Codec<T>> rowCodec,
            final Supplier<Codec<A>> accumulatorCodec,
            final Supplier<Codec<W>> windowCodec,
            final Supplier<AggregateFunction<T, A, W>> aggregate) {
        this.name = name;
        this.columns = columns;
        this.csvCodec = csvCodec;
        this.rowCodec = rowCodec;
        this.accumulatorCodec = accumulatorCodec;
        this.windowCodec = windowCodec;
        this.aggregate = aggregate;
    }

    /**
     * The name of the job.
     *
     * @return also the command's.
     */
    public String name() {
        return name;
    }

    /**
     * The columns of the windows.
     *
     * @return names in order.
     */
    public List<String> columns() {
        return columns;
    }

    /**
     * Reads records from rows of a CSV file.
     *
     * @param header of the file.
     * @param idColumn column of the ids, null for none.
     * @return a new codec.
     * @throws IllegalArgumentException if a column is missing; the message names it.
     */
    public Codec<T> csvCodec(final List<String> header, final String idColumn) {
        return csvCodec.apply(header, idColumn);
    }

    /**
     * Records as bytes.
     *
     * @return a new codec.
     */
    public Codec<T> rowCodec() {
        return rowCodec.get();
    }

    /**
     * Windows as bytes.
     *
     * @return a new codec.
     */
    public Codec<W> windowCodec() {
        return windowCodec.get();
    }

    Codec<A> accumulatorCodec() {
        return accumulatorCodec.get();
    }

    AggregateFunction<T, A, W> aggregate() {
        return aggregate.get();
    }
}
