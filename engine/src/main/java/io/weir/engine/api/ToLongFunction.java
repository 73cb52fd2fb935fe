package io.weir.engine.api;

import java.io.Serializable;

/**
 * Takes a number out of a record, such as its time or its key, without boxing. The same record must always give the same number.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task.
 *
 * @param <T> type of the records.
 */
@FunctionalInterface
public interface ToLongFunction<T> extends Serializable {
    /**
     * The number. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @return the number.
     * @throws Exception if it fails: the job fails.
     */
    long applyAsLong(T value) throws Exception;
}
