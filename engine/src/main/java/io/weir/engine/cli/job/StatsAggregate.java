package io.weir.engine.cli.job;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.TimeWindow;

/** Folds metrics into a {@link StatsWindow}. */
final class StatsAggregate implements AggregateFunction<Metric, Stats, StatsWindow> {
    private static final long serialVersionUID = 1L;

    @Override
    public Stats create() {
        return Stats.empty();
    }

    @Override
    public Stats add(final Stats accumulator, final Metric metric) {
        return accumulator.plus(metric);
    }

    @Override
    public StatsWindow result(final Stats accumulator, final TimeWindow window) {
        return accumulator.window(window.startNs(), window.endNs());
    }
}
