package io.weir.engine.simulation;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.TimeWindow;

/** The sum of the values in a window. */
final class Summing implements AggregateFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long create() {
        return 0L;
    }

    @Override
    public Long add(final Long sum, final Long id) {
        return sum + Facts.value(id);
    }

    @Override
    public Long result(final Long sum, final TimeWindow window) {
        return sum;
    }
}
