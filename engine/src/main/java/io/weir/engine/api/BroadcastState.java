package io.weir.engine.api;

/**
 * A broadcast state as records of the broadcast input see it: a map that every subtask holds whole, on the heap, as bytes, and
 * writes whole with each snapshot: for rules and settings, not for data. Task thread, inside the function's calls only.
 *
 * @param <K> type of the map's keys.
 * @param <V> type of the map's values.
 */
public interface BroadcastState<K, V> extends ReadOnlyBroadcastState<K, V> {
    /**
     * Adds or replaces an entry.
     *
     * @param mapKey not null.
     * @param value not null.
     */
    void put(K mapKey, V value);

    /**
     * Removes an entry.
     *
     * @param mapKey not null.
     * @return whether there was one.
     */
    boolean remove(K mapKey);

    /** Drops all entries. */
    void clear();
}
