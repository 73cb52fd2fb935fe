package io.weir.engine.api;

/**
 * One value for the current key, into which each added value is reduced at once. Task thread, inside the function's calls only.
 * Allocates nothing of its own.
 *
 * @param <V> type of the values.
 */
public interface ReducingState<V> {
    /**
     * Reduces a value into the state; the first one is taken as it is.
     *
     * @param value not null.
     * @throws Exception if the reduce function fails; the state is as before then.
     */
    void add(V value) throws Exception;

    /**
     * What the added values gave.
     *
     * @return null without any. A flyweight is valid until the next call of this state.
     */
    V get();

    /** Drops the value of the current key. */
    void clear();
}
