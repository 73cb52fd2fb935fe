package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;
import java.util.List;

/**
 * The trades of one key in one window.
 *
 * @param source of the key.
 * @param key of the window.
 * @param startNs inclusive.
 * @param endNs exclusive.
 * @param count of the trades.
 * @param open price of the first trade by event time.
 * @param high greatest price.
 * @param low smallest price.
 * @param close price of the last trade by event time.
 * @param volume exact sum of the quantities.
 * @param notional exact sum of price times quantity.
 */
public record OhlcWindow(
        String source,
        String key,
        long startNs,
        long endNs,
        long count,
        BigDecimal open,
        BigDecimal high,
        BigDecimal low,
        BigDecimal close,
        BigDecimal volume,
        BigDecimal notional)
        implements Window {
    /** The columns of {@link #fields()}. */
    public static final List<String> COLUMNS = List.of(
            "source",
            "key",
            "window_start_ns",
            "window_end_ns",
            "count",
            "open",
            "high",
            "low",
            "close",
            "volume",
            "notional",
            "vwap");

    private static final int VWAP_DIGITS = 10;

    /**
     * Windows as bytes.
     *
     * @return a new codec.
     */
    public static Codec<OhlcWindow> codec() {
        return Codec.ofRecord(OhlcWindow.class);
    }

    /**
     * The mean price weighted by quantity, half-even to 10 decimals.
     *
     * @return the decimal in print, empty if the volume is 0.
     */
    public String vwap() {
        return volume.signum() == 0 ? "" : Decimals.print(Decimals.divide(notional, volume, VWAP_DIGITS));
    }

    @Override
    public List<String> fields() {
        return List.of(
                source,
                key,
                Long.toString(startNs),
                Long.toString(endNs),
                Long.toString(count),
                Decimals.print(open),
                Decimals.print(high),
                Decimals.print(low),
                Decimals.print(close),
                Decimals.print(volume),
                Decimals.print(notional),
                vwap());
    }
}
