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
        return new FieldCodec<>(
                "Metric(source:text,arrival:long,sub:long,key:text,event:long,id:text,value:decimal)",
                (out, metric) -> out.putText(metric.source)
                        .putLong(metric.arrival)
                        .putLong(metric.sub)
                        .putText(metric.key)
                        .putLong(metric.eventNs)
                        .putText(metric.id)
                        .putDecimal(metric.value),
                in -> new Metric(
                        in.getText(),
                        in.getLong(),
                        in.getLong(),
                        in.getText(),
                        in.getLong(),
                        in.getText(),
                        in.getDecimal()));
    }
}
