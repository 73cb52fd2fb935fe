package io.weir.engine.cli.job;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.TimeWindow;

/** Folds ticks into an {@link OhlcWindow}. */
final class OhlcAggregate implements AggregateFunction<Tick, Ohlc, OhlcWindow> {
    private static final long serialVersionUID = 1L;

    @Override
    public Ohlc create() {
        return Ohlc.empty();
    }

    @Override
    public Ohlc add(final Ohlc accumulator, final Tick tick) {
        return accumulator.plus(tick);
    }

    @Override
    public OhlcWindow result(final Ohlc accumulator, final TimeWindow window) {
        return accumulator.window(window.startNs(), window.endNs());
    }
}
