package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.ValueState;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import java.util.HashSet;
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
