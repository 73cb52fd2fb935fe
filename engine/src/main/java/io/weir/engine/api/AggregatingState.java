package io.weir.engine.api;

/**
 * One accumulator for the current key, to which each added value is folded at once. Task thread, inside the function's calls
 * only. Allocates nothing of its own.
 *
 * @param <T> type of what is added.
 * @param <R> type of the result.
 */
public interface AggregatingState<T, R> {
    /**
     * Folds a value into the accumulator.
     *
     * @param value not null.
     * @throws Exception if the aggregate function fails; the state is as before then.
     */
    void add(T value) throws Exception;

    /**
     * The result over what was added. The state stays.
     *
     * @return null if nothing was added. What is a view over the accumulator is valid until the next call of this state.
     * @throws Exception if the aggregate function fails.
     */
    R get() throws Exception;

    /** Drops the accumulator of the current key. */
    void clear();
}
