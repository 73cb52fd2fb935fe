package io.weir.engine.api;

import java.io.Serializable;

/**
 * Decides which records stay.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task.
 *
 * @param <T> type of the records.
 */
@FunctionalInterface
public interface FilterFunction<T> extends Serializable {
    /**
     * Tests a record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @return true to keep it.
     * @throws Exception if it fails: the job fails.
     */
    boolean test(T value) throws Exception;
}
