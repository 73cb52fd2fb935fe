package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;
import java.util.List;

/**
 * The values of one key in one window.
 *
 * @param source of the key.
 * @param key of the window.
 * @param startNs inclusive.
 * @param endNs exclusive.
 * @param count of the values.
 * @param min smallest value.
 * @param max greatest value.
 * @param sum exact sum.
 * @param first value by event time.
 * @param last value by event time.
 */
public record StatsWindow(
        String source,
        String key,
        long startNs,
        long endNs,
        long count,
        BigDecimal min,
        BigDecimal max,
        BigDecimal sum,
        BigDecimal first,
        BigDecimal last)
        implements Window {
    /** The columns of {@link #fields()}. */
    public static final List<String> COLUMNS = List.of(
            "source", "key", "window_start_ns", "window_end_ns", "count", "min", "max", "sum", "mean", "first", "last");

    private static final int MEAN_DIGITS = 12;

    /**
     * Windows as bytes.
     *
     * @return a new codec.
     */
    public static Codec<StatsWindow> codec() {
        return Codec.ofRecord(StatsWindow.class);
    }

    /**
     * The mean value, half-even to 12 decimals.
     *
     * @return the decimal in print.
     */
    public String mean() {
        return Decimals.print(Decimals.divide(sum, BigDecimal.valueOf(count), MEAN_DIGITS));
    }

    @Override
    public List<String> fields() {
        return List.of(
                source,
                key,
                Long.toString(startNs),
                Long.toString(endNs),
                Long.toString(count),
                Decimals.print(min),
                Decimals.print(max),
                Decimals.print(sum),
                mean(),
                Decimals.print(first),
                Decimals.print(last));
    }
}
