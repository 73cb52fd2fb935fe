package io.weir.engine.operator;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.AggregatingState;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.ValueState;

/** An accumulator that values are folded into. */
final class TableAggregatingState<T, A, R> implements AggregatingState<T, R> {
    private final ValueState<A> accumulators;
    private final AggregateFunction<T, A, R> function;

    TableAggregatingState(final ValueState<A> accumulators, final AggregateFunction<T, A, R> function) {
        this.accumulators = accumulators;
        this.function = function;
    }

    @Override
    public void add(final T value) throws Exception {
        final A before = accumulators.value();
        accumulators.update(function.add(before == null ? function.create() : before, value));
    }

    @Override
    public R get() throws Exception {
        final A accumulator = accumulators.value();
        return accumulator == null ? null : function.result(accumulator, TimeWindow.ALL);
    }

    @Override
    public void clear() {
        accumulators.clear();
    }
}
