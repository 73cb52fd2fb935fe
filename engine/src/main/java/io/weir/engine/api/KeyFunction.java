package io.weir.engine.api;

import java.io.Serializable;

/**
 * Takes the key out of a record. The same record must always give the same key.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task.
 *
 * @param <T> type of the records.
 * @param <K> type of the keys.
 */
@FunctionalInterface
public interface KeyFunction<T, K> extends Serializable {
    /**
     * The key of a record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @return its key, not null.
     * @throws Exception if it fails: the job fails.
     */
    K key(T value) throws Exception;
}
