package io.weir.storage.state;

import org.agrona.DirectBuffer;

/**
 * One state's entries, key bytes to value bytes, by key group. Task thread only. Lookups and updates of an entry whose value
 * keeps its length allocate nothing.
 */
public interface ValueTable {
    /** The cursor of {@link #scan} that a pass begins with. */
    long SCAN_BEGIN = 0;

    /** What {@link #scan} gives at the end of a pass. */
    long SCAN_END = -1;

    /**
     * Finds an entry and wraps its value.
     *
     * @param keyGroup that the key belongs to; owned by the store.
     * @param key buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @param value view that is wrapped around the value's bytes; valid until the next call that changes the table.
     * @return whether there is an entry; without one the view is left alone.
     */
    boolean get(int keyGroup, DirectBuffer key, int offset, int length, DirectBuffer value);

    /**
     * Notes a key of a batch for {@link #touch}. Changes nothing, allocates nothing.
     *
     * @param keyGroup that the key belongs to; owned by the store.
     * @param key buffer that holds the key; not needed after the call.
     * @param offset of the key.
     * @param length of the key in bytes.
     */
    default void ahead(final int keyGroup, final DirectBuffer key, final int offset, final int length) {}

    /**
     * Loads the memory that lookups of the keys noted by {@link #ahead} will read, and finds nothing. A lookup beyond the caches
     * waits for several loads one after another; who knows the keys of a batch touches all of them first, and the waits of
     * different keys overlap. To be called before the table is changed. Changes nothing, allocates nothing; without use where a
     * table fits into the caches.
     */
    default void touch() {}

    /**
     * Adds or replaces an entry. The buffers may not be views into this table.
     *
     * @param keyGroup that the key belongs to; owned by the store.
     * @param key buffer that holds the key.
     * @param keyOffset of the key.
     * @param keyLength of the key in bytes.
     * @param value buffer that holds the value.
     * @param valueOffset of the value.
     * @param valueLength of the value in bytes, may be 0.
     */
    void put(
            int keyGroup,
            DirectBuffer key,
            int keyOffset,
            int keyLength,
            DirectBuffer value,
            int valueOffset,
            int valueLength);

    /**
     * Removes an entry.
     *
     * @param keyGroup that the key belongs to; owned by the store.
     * @param key buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @return whether there was one.
     */
    boolean remove(int keyGroup, DirectBuffer key, int offset, int length);

    /**
     * Visits all entries in no particular order. The visitor may not change the table. Cold path.
     *
     * @param visitor that takes the entries.
     */
    void forEach(Visitor visitor);

    /**
     * Visits the next entries of a pass over the table, in no particular order. Between the calls of a pass the table may change
     * in any way, and the visitor itself may put and remove entries of it; a pass sees each entry exactly once that is there from
     * its begin to its end, whatever happens to its value, and those that come or go meanwhile or not. Allocates nothing once its
     * scratch space has grown.
     *
     * @param cursor {@link #SCAN_BEGIN}, or what the last call of the pass has given. Opaque, and good for this table only.
     * @param maxEntries about how many entries, or empty places between them, are looked at, at least 1; what lies in one place
     *     (a bucket, a page) is always seen in one call.
     * @param visitor that takes the entries. The views of an entry end with the first change of the table that the visitor makes:
     *     it may remove the entry by the view of its key, but must copy the key to put under it. It may not scan or visit this
     *     table.
     * @return the cursor to go on from, or {@link #SCAN_END}.
     */
    long scan(long cursor, int maxEntries, Visitor visitor);

    /**
     * The number of entries.
     *
     * @return entries over all key groups.
     */
    long size();

    /** Takes the entries of a table. */
    @FunctionalInterface
    interface Visitor {
        /**
         * One entry; the views are valid during the call only.
         *
         * @param keyGroup of the entry.
         * @param key view of exactly the key's bytes.
         * @param value view of exactly the value's bytes.
         */
        void onEntry(int keyGroup, DirectBuffer key, DirectBuffer value);
    }
}
