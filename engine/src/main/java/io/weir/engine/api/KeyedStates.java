package io.weir.engine.api;

/** Gives a keyed process function its states. Task thread, during {@link KeyedProcessFunction#open} only. */
public interface KeyedStates {
    /**
     * A value by key.
     *
     * @param name unique within the function.
     * @param codec of the value; kept with checkpoints, a restore with another is refused.
     * @param <V> type of the value.
     * @return the state, for the function's whole life.
     */
    <V> ValueState<V> valueState(String name, Codec<V> codec);

    /**
     * A number by key, without boxing.
     *
     * @param name unique within the function.
     * @return the state, for the function's whole life.
     */
    LongState longState(String name);

    /**
     * A list by key.
     *
     * @param name unique within the function.
     * @param codec of the elements; kept with checkpoints, a restore with another is refused.
     * @param <V> type of the elements.
     * @return the state, for the function's whole life.
     */
    <V> ListState<V> listState(String name, Codec<V> codec);
}
