package io.weir.storage.page;

import org.agrona.UnsafeApi;

/**
 * The keys of a batch whose memory is loaded before they are looked up.
 *
 * <p>Loads wait for one another only where one needs what another brings, or where so many instructions lie between them that the
 * processor can't look from one to the next. So keys are noted first, and then the lines of all of them are loaded in short
 * loops without branches: first slots and headers, then the entries that the slots name. Allocates nothing. Task thread.
 */
final class TouchedAhead {
    private static final int CAPACITY = 64;

    private final long[] pages = new long[CAPACITY];
    private final long[] slots = new long[CAPACITY];
    private final long[] hashes = new long[CAPACITY];
    private int count;

    /** Read by nobody: what is loaded must go somewhere, or the loads would be left out. */
    @SuppressWarnings("unused")
    private long sum;

    /** Notes a key whose entry is in a page, or nowhere. */
    void add(final long page, final int slotBits, final long hash) {
        if (count == CAPACITY) {
            load();
        }
        pages[count] = page;
        slots[count] = HashPage.firstSlotsOffset(slotBits, hash) + page;
        hashes[count] = hash;
        count++;
    }

    /** Loads what lookups of the noted keys will read, and forgets them. */
    void load() {
        final int noted = count;
        long loaded = 0;
        for (int i = 0; i < noted; i++) {
            loaded += UnsafeApi.getLong(slots[i]) + UnsafeApi.getLong(pages[i]);
        }
        for (int i = 0; i < noted; i++) {
            slots[i] = pages[i] + HashPage.likelyEntry(UnsafeApi.getLong(slots[i]), hashes[i]);
        }
        for (int i = 0; i < noted; i++) {
            loaded += UnsafeApi.getLong(slots[i])
                    + UnsafeApi.getLong(Math.min(slots[i] + HashPage.NEXT_LINE, pages[i] + HashPage.LAST_WORD));
        }
        sum += loaded;
        count = 0;
    }
}
