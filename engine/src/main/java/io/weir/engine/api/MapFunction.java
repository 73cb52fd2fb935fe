package io.weir.engine.api;

import java.io.Serializable;

/**
 * Turns a record into another.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task.
 *
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
@FunctionalInterface
public interface MapFunction<T, R> extends Serializable {
    /**
     * Maps a record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @return the result, not null.
     * @throws Exception if it fails: the job fails.
     */
    R map(T value) throws Exception;
}
