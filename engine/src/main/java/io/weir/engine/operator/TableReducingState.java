package io.weir.engine.operator;

import io.weir.engine.api.ReduceFunction;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.ValueState;

/** A value that others are reduced into. */
final class TableReducingState<V> implements ReducingState<V> {
    private final ValueState<V> reduced;
    private final ReduceFunction<V> function;

    TableReducingState(final ValueState<V> reduced, final ReduceFunction<V> function) {
        this.reduced = reduced;
        this.function = function;
    }

    @Override
    public void add(final V value) throws Exception {
        final V before = reduced.value();
        reduced.update(before == null ? value : function.reduce(before, value));
    }

    @Override
    public V get() {
        return reduced.value();
    }

    @Override
    public void clear() {
        reduced.clear();
    }
}
