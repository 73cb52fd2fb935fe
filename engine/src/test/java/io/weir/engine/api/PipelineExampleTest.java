package io.weir.engine.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.storage.log.MemoryLog;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example of the documentation compiles as it is written. */
final class PipelineExampleTest {
    record Trade(String symbol, long timestampMs, long price, long quantity) {}

    record Vwap(String symbol, long windowStart, long windowEnd, long notional, long volume) {}

    record Sums(String symbol, long notional, long volume) {}

    static final class VwapAggregate implements AggregateFunction<Trade, Sums, Vwap> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sums create() {
            return new Sums(null, 0, 0);
        }

        @Override
        public Sums add(final Sums sums, final Trade trade) {
            return new Sums(
                    trade.symbol(),
                    sums.notional() + trade.price() * trade.quantity(),
                    sums.volume() + trade.quantity());
        }

        @Override
        public Vwap result(final Sums sums, final TimeWindow window) {
            return new Vwap(sums.symbol(), window.startMs(), window.endMs(), sums.notional(), sums.volume());
        }
    }

    static Pipeline vwap(final ReplayableLog trades, final TransactionalLog vwaps) {
        final Pipeline p = Pipeline.named("vwap");
        p.read(trades, Codec.ofRecord(Trade.class))
                .eventTime(Trade::timestampMs, Duration.ofMillis(500))
                .keyBy(Trade::symbol)
                .window(Tumbling.of(Duration.ofSeconds(1)))
                .aggregate(new VwapAggregate())
                .write(vwaps, Codec.ofRecord(Vwap.class), Delivery.EXACTLY_ONCE);
        return p;
    }

    @Test
    void shouldGatherTheStepsOfThePipeline() {
        final Pipeline p = vwap(MemoryLog.bounded(1), MemoryLog.bounded(1));

        assertEquals(4, p.steps().size());
        assertEquals("vwap", p.name());
    }
}
