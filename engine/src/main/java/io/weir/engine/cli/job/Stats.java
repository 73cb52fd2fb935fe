package io.weir.engine.cli.job;

import java.math.BigDecimal;

/**
 * Gathers the values of one window. The result does not depend on the order in which they come.
 *
 * @param source of the values.
 * @param key of the values.
 * @param count of the values; the rest is null while it is 0, the sum apart.
 * @param firstPlace where the first value stands.
 * @param lastPlace where the last value stands.
 * @param min smallest value.
 * @param max greatest value.
 * @param sum of the values.
 * @param first value.
 * @param last value.
 */
record Stats(
        String source,
        String key,
        long count,
        Place firstPlace,
        Place lastPlace,
        BigDecimal min,
        BigDecimal max,
        BigDecimal sum,
        BigDecimal first,
        BigDecimal last) {

    static Stats empty() {
        return new Stats(null, null, 0, null, null, null, null, BigDecimal.ZERO, null, null);
    }

    Stats plus(final Metric metric) {
        final Place place = Place.of(metric);
        final BigDecimal value = metric.value();
        final boolean isFirst = count == 0 || place.compareTo(firstPlace) < 0;
        final boolean isLast = count == 0 || place.compareTo(lastPlace) > 0;
        return new Stats(
                metric.source(),
                metric.key(),
                count + 1,
                isFirst ? place : firstPlace,
                isLast ? place : lastPlace,
                count == 0 ? value : min.min(value),
                count == 0 ? value : max.max(value),
                sum.add(value),
                isFirst ? value : first,
                isLast ? value : last);
    }

    StatsWindow window(final long startNs, final long endNs) {
        return new StatsWindow(source, key, startNs, endNs, count, min, max, sum, first, last);
    }
}
