package io.weir.storage.page;

import io.weir.storage.frame.OffHeapSlabs;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.state.TimerTable;
import io.weir.storage.state.ValueTable;
import java.util.List;

/**
 * Reads the entries that a chain of segments holds, without a store. Holds the pages of one key group of one table in memory at
 * a time. I/O thread.
 */
public final class PageEntries {
    private final RestoredChains chains;

    /**
     * Entries of a chain.
     *
     * @param chain open; stays the caller's.
     * @param firstKeyGroup of those that the chain's task owns.
     * @param endKeyGroup behind the last of them.
     */
    public PageEntries(final PageChain chain, final int firstKeyGroup, final int endKeyGroup) {
        this(new RestoredChains(List.of(new RestoredChains.Part(chain, firstKeyGroup, endKeyGroup))));
    }

    PageEntries(final RestoredChains chains) {
        this.chains = chains;
    }

    /**
     * Reads the entries of a state in a key group.
     *
     * @param section name of the table in segments.
     * @param keyGroup to read.
     * @param visitor that takes them in no particular order.
     * @throws io.weir.storage.snapshot.CorruptionException if bytes are damaged.
     */
    public void forEachValue(final String section, final int keyGroup, final ValueTable.Visitor visitor) {
        try (PageStore store = new PageStore(new OffHeapSlabs(), keyGroup)) {
            new PageTable(pages(store, section, keyGroup), HashDirectory.MAX_DEPTH).forEach(visitor);
        }
    }

    /**
     * Reads the timers of a table in a key group.
     *
     * @param section name of the table in segments.
     * @param keyGroup to read.
     * @param visitor that takes them in order.
     * @throws io.weir.storage.snapshot.CorruptionException if bytes are damaged.
     */
    public void forEachTimer(final String section, final int keyGroup, final TimerTable.Handler visitor) {
        try (PageStore store = new PageStore(new OffHeapSlabs(), keyGroup)) {
            new PageTimerTable(pages(store, section, keyGroup)).forEach(visitor);
        }
    }

    private TablePages pages(final PageStore store, final String section, final int keyGroup) {
        return new TablePages(store, new TableName(section, ""), keyGroup, keyGroup + 1, chains);
    }
}
