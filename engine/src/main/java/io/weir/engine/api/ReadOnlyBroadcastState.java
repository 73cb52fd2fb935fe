package io.weir.engine.api;

/**
 * A broadcast state as records of the other input see it. Task thread, inside the function's calls only. Lookups cost the same
 * however large the map is and allocate nothing but what the codecs do.
 *
 * @param <K> type of the map's keys.
 * @param <V> type of the map's values.
 */
public interface ReadOnlyBroadcastState<K, V> {
    /**
     * The value under a map key.
     *
     * @param mapKey not null.
     * @return the value, null without one. A flyweight is over a copy, valid until the next call of this state.
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
     * The number of entries.
     *
     * @return 0 without any.
     */
    int size();

    /**
     * Whether the map has no entries.
     *
     * @return true if so.
     */
    default boolean isEmpty() {
        return size() == 0;
    }

    /**
     * Visits the entries, in no particular order. The visitor may call this state. Where it may also change it: replace or remove
     * the entry it is given, add others (which are not visited), clear the map (which ends the visit); if it removes entries other
     * than the given one, some may be visited twice.
     *
     * @param visitor that takes the entries.
     * @throws Exception what the visitor throws.
     */
    void forEach(MapState.Visitor<? super K, ? super V> visitor) throws Exception;
}
