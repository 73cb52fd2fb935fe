package io.weir.engine.api;

import java.io.Serializable;

/**
 * Folds the records of a key's window, or what is added to an {@link AggregatingState}, into one result.
 *
 * <p>The accumulator lives in keyed state: between two records it is bytes, made by its codec. That is inferred from the class
 * of the function, or given to {@link WindowedStream#aggregate}. An accumulator of a flyweight codec may be changed in place and
 * returned. An object of a class is copied by serialization for each task.
 *
 * @param <T> type of the records.
 * @param <A> type of the accumulator.
 * @param <R> type of the result.
 */
public interface AggregateFunction<T, A, R> extends Serializable {
    /**
     * An accumulator without records. Task thread.
     *
     * @return a new one, or the same one each time after it was reset.
     * @throws Exception if it fails: the job fails.
     */
    A create() throws Exception;

    /**
     * Adds a record. Task thread.
     *
     * @param accumulator so far.
     * @param value the record; a flyweight is valid during the call only.
     * @return the accumulator, perhaps the given one.
     * @throws Exception if it fails: the job fails.
     */
    A add(A accumulator, T value) throws Exception;

    /**
     * The result of a window that has ended, or of an {@link AggregatingState} so far. Task thread.
     *
     * @param accumulator over all records of the window that were not late.
     * @param window the window, {@link TimeWindow#ALL} for an {@link AggregatingState}.
     * @return the result, not null.
     * @throws Exception if it fails: the job fails.
     */
    R result(A accumulator, TimeWindow window) throws Exception;
}
