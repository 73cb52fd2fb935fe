package io.weir.engine.api;

import java.io.Serializable;

/**
 * Joins the key to the result of a window.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task.
 *
 * @param <K> type of the keys.
 * @param <V> type of the aggregate.
 * @param <R> type of the result.
 */
@FunctionalInterface
public interface WindowFunction<K, V, R> extends Serializable {
    /**
     * The result of a window that has ended. Task thread.
     *
     * @param key of the window.
     * @param window the window.
     * @param aggregate what {@link AggregateFunction#result} gave.
     * @return the result, not null.
     * @throws Exception if it fails: the job fails.
     */
    R apply(K key, TimeWindow window, V aggregate) throws Exception;
}
