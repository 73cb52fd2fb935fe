package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;

/**
 * A trade.
 *
 * @param source that it came from.
 * @param arrival index of its message in the source.
 * @param sub index in its message.
 * @param key such as the symbol.
 * @param eventNs event time.
 * @param id that repeats share, empty for none.
 * @param price exact.
 * @param qty exact.
 */
public record Tick(
        String source, long arrival, long sub, String key, long eventNs, String id, BigDecimal price, BigDecimal qty)
        implements Row {
    /**
     * Ticks as bytes.
     *
     * @return a new codec.
     */
    public static Codec<Tick> codec() {
        return Codec.ofRecord(Tick.class);
    }
}
