package io.weir.engine.api;

/**
 * One value for the current key. Task thread, inside the function's calls only. Allocates nothing of its own.
 *
 * @param <V> type of the value.
 */
public interface ValueState<V> {
    /**
     * The value of the current key.
     *
     * @return the value, null without one. A flyweight codec gives the same object each time, over a copy that the caller may
     *     change in place and pass to {@link #update}; valid until the next call of this state.
     */
    V value();

    /**
     * Sets the value of the current key.
     *
     * @param value not null.
     */
    void update(V value);

    /** Drops the value of the current key. */
    void clear();
}
