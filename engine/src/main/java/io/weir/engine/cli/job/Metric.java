package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;

/**
 * A measured value.
 *
 * @param source that it came from.
 * @param arrival index of its message in the source.
 * @param sub index in its message.
 * @param key of the series.
 * @param eventNs event time.
 * @param id that repeats share, empty for none.
 * @param value exact.
 */
public record Metric(String source, long arrival, long sub, String key, long eventNs, String id, BigDecimal value)
        implements Row {
    /**
     * Metrics as bytes.
     *
     * @return a new codec.
     */
    public static Codec<Metric> codec() {
        return Codec.ofRecord(Metric.class);
    }
}
