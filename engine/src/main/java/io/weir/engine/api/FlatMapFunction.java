package io.weir.engine.api;

import java.io.Serializable;

/**
 * Turns a record into none, one or many.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task. The type of the results
 * cannot be seen in a lambda: call {@link Stream#codec} behind it where the results go to another task.
 *
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {
    /**
     * Maps a record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    void flatMap(T value, Collector<R> out) throws Exception;
}
