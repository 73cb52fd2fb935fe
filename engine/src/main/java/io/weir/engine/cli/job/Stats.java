package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;

/** Gathers the values of one window. The result does not depend on the order in which they come. */
final class Stats {
    private long count;
    private Place firstPlace;
    private Place lastPlace;
    private BigDecimal min;
    private BigDecimal max;
    private BigDecimal sum = BigDecimal.ZERO;
    private BigDecimal first;
    private BigDecimal last;
    private String source = "";
    private String key = "";

    static Codec<Stats> codec() {
        return new FieldCodec<>(
                "Stats(source:text,key:text,count:long,first:place,last:place,min:decimal,max:decimal,sum:decimal,"
                        + "first:decimal,last:decimal)",
                (out, stats) -> stats.write(out),
                Stats::read);
    }

    void add(final Metric metric) {
        final Place place = Place.of(metric);
        final BigDecimal value = metric.value();
        if (count == 0) {
            source = metric.source();
            key = metric.key();
            min = value;
            max = value;
        } else {
            min = min.min(value);
            max = max.max(value);
        }
        if (count == 0 || place.compareTo(firstPlace) < 0) {
            firstPlace = place;
            first = value;
        }
        if (count == 0 || place.compareTo(lastPlace) > 0) {
            lastPlace = place;
            last = value;
        }
        count++;
        sum = sum.add(value);
    }

    StatsWindow window(final long startNs, final long endNs) {
        return new StatsWindow(source, key, startNs, endNs, count, min, max, sum, first, last);
    }

    private void write(final FieldWriter out) {
        out.putText(source).putText(key).putLong(count);
        if (count > 0) {
            out.putPlace(firstPlace)
                    .putPlace(lastPlace)
                    .putDecimal(min)
                    .putDecimal(max)
                    .putDecimal(sum)
                    .putDecimal(first)
                    .putDecimal(last);
        }
    }

    private static Stats read(final FieldReader in) {
        final Stats stats = new Stats();
        stats.source = in.getText();
        stats.key = in.getText();
        stats.count = in.getLong();
        if (stats.count > 0) {
            stats.firstPlace = in.getPlace();
            stats.lastPlace = in.getPlace();
            stats.min = in.getDecimal();
            stats.max = in.getDecimal();
            stats.sum = in.getDecimal();
            stats.first = in.getDecimal();
            stats.last = in.getDecimal();
        }
        return stats;
    }
}
