package io.weir.engine.api;

/**
 * Gives a keyed process function its states. Task thread, during {@link KeyedProcessFunction#open} only.
 *
 * <p>A checkpoint that holds a state with a time-to-live is not restored into the same state without one, nor the other way
 * round: the error names the state.
 */
public interface KeyedStates {
    /**
     * A value by key.
     *
     * @param name unique within the function.
     * @param codec of the value; kept with checkpoints, see {@link Codec#version()}.
     * @param <V> type of the value.
     * @return the state, for the function's whole life.
     */
    <V> ValueState<V> valueState(String name, Codec<V> codec);

    /**
     * A value by key, with a time-to-live.
     *
     * @param name unique within the function.
     * @param codec of the value; kept with checkpoints, see {@link Codec#version()}.
     * @param ttl how long it is kept.
     * @param <V> type of the value.
     * @return the state, for the function's whole life.
     */
    <V> ValueState<V> valueState(String name, Codec<V> codec, StateTtl ttl);

    /**
     * A number by key, without boxing.
     *
     * @param name unique within the function.
     * @return the state, for the function's whole life.
     */
    LongState longState(String name);

    /**
     * A number by key, without boxing, with a time-to-live.
     *
     * @param name unique within the function.
     * @param ttl how long it is kept.
     * @return the state, for the function's whole life.
     */
    LongState longState(String name, StateTtl ttl);

    /**
     * A list by key.
     *
     * @param name unique within the function.
     * @param codec of the elements; kept with checkpoints, see {@link Codec#version()}.
     * @param <V> type of the elements.
     * @return the state, for the function's whole life.
     */
    <V> ListState<V> listState(String name, Codec<V> codec);

    /**
     * A list by key, with a time-to-live.
     *
     * @param name unique within the function.
     * @param codec of the elements; kept with checkpoints, see {@link Codec#version()}.
     * @param ttl how long an element is kept.
     * @param <V> type of the elements.
     * @return the state, for the function's whole life.
     */
    <V> ListState<V> listState(String name, Codec<V> codec, StateTtl ttl);

    /**
     * A map by key.
     *
     * @param name unique within the function.
     * @param mapKeys codec of the map's keys: equal ones must give equal bytes; kept with checkpoints, a restore with another is
     *     refused.
     * @param values codec of the map's values; kept with checkpoints, see {@link Codec#version()}.
     * @param <K> type of the map's keys.
     * @param <V> type of the map's values.
     * @return the state, for the function's whole life.
     */
    <K, V> MapState<K, V> mapState(String name, Codec<K> mapKeys, Codec<V> values);

    /**
     * A map by key, with a time-to-live.
     *
     * @param name unique within the function.
     * @param mapKeys codec of the map's keys: equal ones must give equal bytes; kept with checkpoints, a restore with another is
     *     refused.
     * @param values codec of the map's values; kept with checkpoints, see {@link Codec#version()}.
     * @param ttl how long an entry is kept.
     * @param <K> type of the map's keys.
     * @param <V> type of the map's values.
     * @return the state, for the function's whole life.
     */
    <K, V> MapState<K, V> mapState(String name, Codec<K> mapKeys, Codec<V> values, StateTtl ttl);

    /**
     * A value by key, into which others are reduced.
     *
     * @param name unique within the function.
     * @param function joins two values.
     * @param codec of the values; kept with checkpoints, see {@link Codec#version()}.
     * @param <V> type of the values.
     * @return the state, for the function's whole life.
     */
    <V> ReducingState<V> reducingState(String name, ReduceFunction<V> function, Codec<V> codec);

    /**
     * A value by key, into which others are reduced, with a time-to-live.
     *
     * @param name unique within the function.
     * @param function joins two values.
     * @param codec of the values; kept with checkpoints, see {@link Codec#version()}.
     * @param ttl how long it is kept.
     * @param <V> type of the values.
     * @return the state, for the function's whole life.
     */
    <V> ReducingState<V> reducingState(String name, ReduceFunction<V> function, Codec<V> codec, StateTtl ttl);

    /**
     * An accumulator by key, to which values are folded. The function's results are those of {@link TimeWindow#ALL}.
     *
     * @param name unique within the function.
     * @param function folds.
     * @param accumulators codec of the accumulators; kept with checkpoints, see {@link Codec#version()}.
     * @param <T> type of what is added.
     * @param <A> type of the accumulators.
     * @param <R> type of the results.
     * @return the state, for the function's whole life.
     */
    <T, A, R> AggregatingState<T, R> aggregatingState(
            String name, AggregateFunction<T, A, R> function, Codec<A> accumulators);

    /**
     * An accumulator by key, to which values are folded, with a time-to-live. The function's results are those of {@link TimeWindow#ALL}.
     *
     * @param name unique within the function.
     * @param function folds.
     * @param accumulators codec of the accumulators; kept with checkpoints, see {@link Codec#version()}.
     * @param ttl how long it is kept.
     * @param <T> type of what is added.
     * @param <A> type of the accumulators.
     * @param <R> type of the results.
     * @return the state, for the function's whole life.
     */
    <T, A, R> AggregatingState<T, R> aggregatingState(
            String name, AggregateFunction<T, A, R> function, Codec<A> accumulators, StateTtl ttl);
}
