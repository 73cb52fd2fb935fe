package io.weir.engine.api;

/**
 * A map for the current key. Task thread, inside the function's calls only. Each call costs the same however large the map is,
 * but for {@link #forEach} and {@link #clear}, which cost as much as the map of this key has entries. Allocates nothing of its
 * own for an entry that is there and keeps its value's length.
 *
 * @param <K> type of the map's keys.
 * @param <V> type of the map's values.
 */
public interface MapState<K, V> {
    /**
     * The value under a map key.
     *
     * @param mapKey not null.
     * @return the value, null without one. A flyweight is over a copy that the caller may change in place and pass to {@link
     *     #put}; valid until the next call of this state.
     */
    V get(K mapKey);

    /**
     * Whether there is a value under a map key.
     *
     * @param mapKey not null.
     * @return true if so.
     */
    boolean contains(K mapKey);

    /**
     * Adds or replaces an entry.
     *
     * @param mapKey not null.
     * @param value not null.
     */
    void put(K mapKey, V value);

    /**
     * Removes an entry. Another entry may be written again in its place, so this costs as much as the longer of the two.
     *
     * @param mapKey not null.
     * @return whether there was one.
     */
    boolean remove(K mapKey);

    /**
     * Whether the map has no entries.
     *
     * @return true if so.
     */
    boolean isEmpty();

    /**
     * Visits the entries in no particular order. The visitor may call this state: read, replace or remove the entry it is
     * given, add others (which are not visited), clear the map (which ends the visit). If it removes entries other than the
     * given one, some may be visited twice.
     *
     * @param visitor that takes the entries.
     * @throws Exception what the visitor throws.
     */
    void forEach(Visitor<? super K, ? super V> visitor) throws Exception;

    /** Drops all entries of the current key. */
    void clear();

    /**
     * Takes the entries of a map.
     *
     * @param <K> type of the map's keys.
     * @param <V> type of the map's values.
     */
    @FunctionalInterface
    interface Visitor<K, V> {
        /**
         * One entry. Flyweights are copies of their own and stay valid during the call, also if it calls the state, unless it
         * begins another visit.
         *
         * @param mapKey of the entry.
         * @param value of the entry.
         * @throws Exception to end the visit.
         */
        void onEntry(K mapKey, V value) throws Exception;
    }
}
