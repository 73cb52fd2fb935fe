package io.weir.engine.api;

/**
 * A list, in the order of adding: for the current key if it is from {@link KeyedStates}, else for the subtask. Task thread,
 * inside the function's calls only. Adding costs the same however long the list is.
 *
 * @param <V> type of the elements.
 */
public interface ListState<V> {
    /**
     * Adds an element at the end.
     *
     * @param value not null.
     */
    void add(V value);

    /**
     * Adds elements at the end.
     *
     * @param values none of them null.
     */
    default void addAll(final Iterable<? extends V> values) {
        for (final V value : values) {
            add(value);
        }
    }

    /**
     * Drops all elements and adds others.
     *
     * @param values none of them null; not read from this state.
     */
    default void update(final Iterable<? extends V> values) {
        clear();
        addAll(values);
    }

    /**
     * The number of elements.
     *
     * @return 0 without any.
     */
    int size();

    /**
     * An element.
     *
     * @param index in [0, {@link #size()}).
     * @return the element; a flyweight is valid until the next call of this state.
     */
    V get(int index);

    /** Drops all elements. */
    void clear();
}
