package io.weir.engine.cli.job;

import java.math.BigDecimal;

/**
 * Gathers the trades of one window. The result does not depend on the order in which they come.
 *
 * @param source of the trades.
 * @param key of the trades.
 * @param count of the trades; the rest is null while it is 0, sums apart.
 * @param first where the first trade stands.
 * @param last where the last trade stands.
 * @param open price of the first.
 * @param high greatest price.
 * @param low smallest price.
 * @param close price of the last.
 * @param volume sum of the quantities.
 * @param notional sum of price times quantity.
 */
record Ohlc(
        String source,
        String key,
        long count,
        Place first,
        Place last,
        BigDecimal open,
        BigDecimal high,
        BigDecimal low,
        BigDecimal close,
        BigDecimal volume,
        BigDecimal notional) {

    static Ohlc empty() {
        return new Ohlc(null, null, 0, null, null, null, null, null, null, BigDecimal.ZERO, BigDecimal.ZERO);
    }

    Ohlc plus(final Tick tick) {
        final Place place = Place.of(tick);
        final BigDecimal price = tick.price();
        final boolean isFirst = count == 0 || place.compareTo(first) < 0;
        final boolean isLast = count == 0 || place.compareTo(last) > 0;
        return new Ohlc(
                tick.source(),
                tick.key(),
                count + 1,
                isFirst ? place : first,
                isLast ? place : last,
                isFirst ? price : open,
                count == 0 ? price : high.max(price),
                count == 0 ? price : low.min(price),
                isLast ? price : close,
                volume.add(tick.qty()),
                notional.add(price.multiply(tick.qty())));
    }

    OhlcWindow window(final long startNs, final long endNs) {
        return new OhlcWindow(source, key, startNs, endNs, count, open, high, low, close, volume, notional);
    }
}
