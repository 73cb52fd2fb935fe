package io.weir.engine.operator;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.AggregatingState;
import io.weir.engine.api.Codec;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.ReduceFunction;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.ValueState;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Gives an operator's function its states, kept under {@code uid/state.name}. Task thread only. */
final class TableStates implements KeyedStates {
    private final OperatorContext context;
    private final CurrentKey key;
    private final String keyCodec;
    private final Set<String> names = new HashSet<>();

    TableStates(final OperatorContext context, final CurrentKey key, final String keyCodec) {
        this.context = context;
        this.key = key;
        this.keyCodec = keyCodec;
    }

    @Override
    public <V> ValueState<V> valueState(final String name, final Codec<V> codec) {
        claim(name);
        return new TableValueState<>(table("/state." + name, keyCodec, codec.signature()), key, codec.forTask());
    }

    @Override
    public LongState longState(final String name) {
        claim(name);
        return new TableLongState(table("/state." + name, keyCodec, "long"), key);
    }

    @Override
    public <V> ListState<V> listState(final String name, final Codec<V> codec) {
        claim(name);
        final ValueTable sizes = table("/size." + name, keyCodec, "long");
        final ValueTable elements = table("/state." + name, "(index:int)" + keyCodec, codec.signature());
        return new TableListState<>(sizes, elements, key, codec.forTask());
    }

    @Override
    public <K, V> MapState<K, V> mapState(final String name, final Codec<K> mapKeys, final Codec<V> values) {
        claim(name);
        final ValueTable entries = table(
                "/state." + name, "(key:" + keyCodec + ')' + mapKeys.signature(), "(slot:int)" + values.signature());
        final ValueTable slots = table("/slot." + name, "(slot:int)" + keyCodec, mapKeys.signature());
        final ValueTable sizes = table("/size." + name, keyCodec, "long");
        return new TableMapState<>(entries, slots, new TableLongState(sizes, key), key, mapKeys, values);
    }

    @Override
    public <V> ReducingState<V> reducingState(
            final String name, final ReduceFunction<V> function, final Codec<V> codec) {
        Objects.requireNonNull(function, "function");
        return new TableReducingState<>(valueState(name, codec), function);
    }

    @Override
    public <T, A, R> AggregatingState<T, R> aggregatingState(
            final String name, final AggregateFunction<T, A, R> function, final Codec<A> accumulators) {
        Objects.requireNonNull(function, "function");
        return new TableAggregatingState<>(valueState(name, accumulators), function);
    }

    private ValueTable table(final String suffix, final String keys, final String values) {
        return context.state().valueTable(new StateDescriptor(context.uid() + suffix, keys, values));
    }

    private void claim(final String name) {
        if (!name.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("state '" + name + "' of operator " + context.uid()
                    + " must have only letters, digits and - _ . in its name");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("operator " + context.uid() + " asks for state '" + name
                    + "' twice: ask once, in open, and keep it in a field");
        }
    }
}
