package io.weir.engine.api;

import java.io.Serializable;

/**
 * Joins two values of one type into one.
 *
 * <p>An object of a class is copied by serialization for each task with the function that holds it.
 *
 * @param <V> type of the values.
 */
@FunctionalInterface
public interface ReduceFunction<V> extends Serializable {
    /**
     * Joins a value to what earlier ones gave. Task thread.
     *
     * @param reduced so far; a flyweight may be changed in place and returned.
     * @param value to add; a flyweight is valid during the call only.
     * @return the new value, not null, perhaps one of the given.
     * @throws Exception if it fails: the job fails.
     */
    V reduce(V reduced, V value) throws Exception;
}
