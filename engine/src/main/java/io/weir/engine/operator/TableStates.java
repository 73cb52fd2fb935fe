package io.weir.engine.operator;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.AggregatingState;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.ReduceFunction;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.StateTtl;
import io.weir.engine.api.StateTtl.Renewal;
import io.weir.engine.api.ValueState;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateException;
import io.weir.storage.state.ValueTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Gives an operator's function its states, kept under {@code uid/state.name}, and removes what expires of them. Task thread
 * only.
 */
final class TableStates implements KeyedStates {
    private static final int SWEPT_PER_CYCLE = 16;
    private static final int SWEPT_PER_CALL = 8;
    private static final int MOST_SWEPT = 4096;
    private static final String INDEX = "(index:int)";
    private static final String SLOT = "(slot:int)";

    private final OperatorContext context;
    private final CurrentKey key;
    private final String keyCodec;
    private final Set<String> names = new HashSet<>();
    private final List<Sweep> sweeps = new ArrayList<>();
    private final IdentityHashMap<Object, Presence> presences = new IdentityHashMap<>();
    private int calls;

    TableStates(final OperatorContext context, final CurrentKey key, final String keyCodec) {
        this.context = context;
        this.key = key;
        this.keyCodec = keyCodec;
    }

    /** The function is about to be called for a record or a timer. */
    void onCall() {
        calls++;
    }

    /** Looks for expired state for a while, the longer the more the function was called. Changes the current key. */
    void sweep(final long nowNs) {
        final int maxEntries = (int) Math.min(MOST_SWEPT, SWEPT_PER_CYCLE + (long) SWEPT_PER_CALL * calls);
        calls = 0;
        for (int i = 0, size = sweeps.size(); i < size; i++) {
            sweeps.get(i).run(nowNs, maxEntries);
        }
    }

    /** Makes each key that a state has something for the current one in turn; see {@link KeyPass}. */
    void forEachKey(final Object state, final KeyPass.Action action) throws Exception {
        final Presence presence = presences.get(state);
        if (presence == null) {
            throw new IllegalArgumentException("applyToKeyedState of operator " + context.uid()
                    + " takes a state by key that its function got in open, not " + state);
        }
        new KeyPass(presence.table, key).run(presence.ofKey, action);
    }

    @Override
    public <V> ValueState<V> valueState(final String name, final Codec<V> codec) {
        return value(name, codec, null);
    }

    @Override
    public <V> ValueState<V> valueState(final String name, final Codec<V> codec, final StateTtl ttl) {
        return value(name, codec, timeToLive(ttl));
    }

    private <V> ValueState<V> value(final String name, final Codec<V> codec, final TimeToLive ttl) {
        claim(name);
        final ValueTable table = expiringTable(name, keyCodec, "", codec, ttl);
        final TableValueState<V> state = new TableValueState<>(table, key, codec.forTask(), ttl);
        if (ttl != null) {
            sweeps.add(new Sweep(table, state::sweep, ttl));
        }
        return present(state, table, state::isPresent);
    }

    @Override
    public LongState longState(final String name) {
        return number(name, null);
    }

    @Override
    public LongState longState(final String name, final StateTtl ttl) {
        return number(name, timeToLive(ttl));
    }

    private LongState number(final String name, final TimeToLive ttl) {
        claim(name);
        final ValueTable table = expiringTable(name, keyCodec, "", Codecs.longs(), ttl);
        final TableLongState state = new TableLongState(table, key, ttl);
        if (ttl != null) {
            sweeps.add(new Sweep(table, state::sweep, ttl));
        }
        return present(state, table, state::isPresent);
    }

    @Override
    public <V> ListState<V> listState(final String name, final Codec<V> codec) {
        claim(name);
        final ValueTable elements = expiringTable(name, INDEX + keyCodec, "", codec, null);
        final ValueTable sizes = table("/size." + name, keyCodec, "long");
        final ListState<V> state = new TableListState<>(sizes, elements, key, codec.forTask());
        return present(state, sizes, () -> state.size() > 0);
    }

    @Override
    public <V> ListState<V> listState(final String name, final Codec<V> codec, final StateTtl setting) {
        claim(name);
        final TimeToLive ttl = timeToLive(setting);
        final ValueTable elements = expiringTable(name, INDEX + keyCodec, "", codec, ttl);
        if (setting.renewal() == Renewal.READ_OR_WRITE) {
            // The stamps alone do not tell which elements are alive, so none may be left out of snapshots.
            context.state()
                    .valueTable(new StateDescriptor(
                            stateName(name), INDEX + keyCodec, TimeToLive.signature(CodecTexts.of(codec))));
        }
        final ValueTable bounds = table("/size." + name, keyCodec, ExpiringListState.boundsSignature());
        final ExpiringListState<V> state = new ExpiringListState<>(bounds, elements, key, codec.forTask(), ttl);
        sweeps.add(new Sweep(bounds, state::sweep, ttl));
        return present(state, bounds, () -> state.size() > 0);
    }

    @Override
    public <K, V> MapState<K, V> mapState(final String name, final Codec<K> mapKeys, final Codec<V> values) {
        return map(name, mapKeys, values, null);
    }

    @Override
    public <K, V> MapState<K, V> mapState(
            final String name, final Codec<K> mapKeys, final Codec<V> values, final StateTtl ttl) {
        return map(name, mapKeys, values, timeToLive(ttl));
    }

    private <K, V> MapState<K, V> map(
            final String name, final Codec<K> mapKeys, final Codec<V> values, final TimeToLive ttl) {
        claim(name);
        final String mapKeyCodec = CodecTexts.of(mapKeys);
        final String entryKeys = "(key:" + keyCodec + ')' + mapKeyCodec;
        final ValueTable entries = expiringTable(name, entryKeys, SLOT, values, ttl);
        final ValueTable slots = table("/slot." + name, SLOT + keyCodec, mapKeyCodec);
        final ValueTable sizes = table("/size." + name, keyCodec, "long");
        final TableMapState<K, V> state =
                new TableMapState<>(new TableMapState.Tables(entries, slots, sizes), key, mapKeys, values, ttl);
        if (ttl != null) {
            sweeps.add(new Sweep(slots, state::sweep, ttl));
        }
        return present(state, sizes, () -> !state.isEmpty());
    }

    @Override
    public <V> ReducingState<V> reducingState(
            final String name, final ReduceFunction<V> function, final Codec<V> codec) {
        Objects.requireNonNull(function, "function");
        final ValueState<V> value = valueState(name, codec);
        return as(new TableReducingState<>(value, function), value);
    }

    @Override
    public <V> ReducingState<V> reducingState(
            final String name, final ReduceFunction<V> function, final Codec<V> codec, final StateTtl ttl) {
        Objects.requireNonNull(function, "function");
        final ValueState<V> value = valueState(name, codec, ttl);
        return as(new TableReducingState<>(value, function), value);
    }

    @Override
    public <T, A, R> AggregatingState<T, R> aggregatingState(
            final String name, final AggregateFunction<T, A, R> function, final Codec<A> accumulators) {
        Objects.requireNonNull(function, "function");
        final ValueState<A> value = valueState(name, accumulators);
        return as(new TableAggregatingState<>(value, function), value);
    }

    @Override
    public <T, A, R> AggregatingState<T, R> aggregatingState(
            final String name,
            final AggregateFunction<T, A, R> function,
            final Codec<A> accumulators,
            final StateTtl ttl) {
        Objects.requireNonNull(function, "function");
        final ValueState<A> value = valueState(name, accumulators, ttl);
        return as(new TableAggregatingState<>(value, function), value);
    }

    private <S> S present(final S state, final ValueTable table, final BooleanSupplier ofKey) {
        presences.put(state, new Presence(table, ofKey));
        return state;
    }

    /** A state that is kept in another. */
    private <S> S as(final S state, final Object kept) {
        presences.put(state, presences.get(kept));
        return state;
    }

    private TimeToLive timeToLive(final StateTtl setting) {
        return new TimeToLive(Objects.requireNonNull(setting, "ttl"), context);
    }

    private ValueTable table(final String suffix, final String keys, final String values) {
        return context.state().valueTable(new StateDescriptor(context.uid() + suffix, keys, values));
    }

    private String stateName(final String name) {
        return context.uid() + "/state." + name;
    }

    /**
     * A table whose values carry a stamp if there is a time-to-live, and maybe a number behind it. They are migrated if an older
     * version of the codec wrote them.
     *
     * @param number the text of what is between stamp and value, 4 bytes; empty if there is nothing.
     */
    private ValueTable expiringTable(
            final String name, final String keys, final String number, final Codec<?> codec, final TimeToLive ttl) {
        final String values = number + CodecTexts.of(codec);
        final int prefix = TimeToLive.prefix(ttl) + (number.isEmpty() ? 0 : Integer.BYTES);
        final StateDescriptor plain = new StateDescriptor(stateName(name), keys, values);
        final StateDescriptor stamped = new StateDescriptor(stateName(name), keys, TimeToLive.signature(values))
                .expiringBy(ttl == null ? null : ttl.expiry());
        try {
            return context.state()
                    .valueTable((ttl == null ? plain : stamped)
                            .migratedBy(CodecMigration.of(
                                    "state '" + name + "' of operator " + context.uid(), keys, codec, prefix)));
        } catch (final StateException e) {
            if (isKept(ttl == null ? stamped : plain)) {
                throw new StateException("state '" + name + "' of operator " + context.uid() + " is kept "
                        + (ttl == null ? "with" : "without")
                        + " a time-to-live in the checkpoint, but the job asks for it "
                        + (ttl == null ? "without" : "with")
                        + "; that cannot be changed for state that exists: give it another name");
            }
            throw e;
        }
    }

    private boolean isKept(final StateDescriptor descriptor) {
        try {
            context.state().valueTable(descriptor);
            return true;
        } catch (final StateException e) {
            // Then the codecs differ, and the first error tells it.
            return false;
        }
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

    /**
     * Where a state's keys are.
     *
     * @param table with an entry for each key, and maybe for keys that have nothing alive.
     * @param ofKey whether there is something for the current key.
     */
    private record Presence(ValueTable table, BooleanSupplier ofKey) {}
}
