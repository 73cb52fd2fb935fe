package io.weir.storage.page;

import io.weir.storage.state.ValueTable;
import org.agrona.concurrent.UnsafeBuffer;

/** Goes through all entries of a table, at once or by and by. Task thread. */
final class TableScan {
    private final PageTable table;
    private final Page page = new Page();
    private final EntryBytes bytes = new EntryBytes();
    private final ScannedEntries entries = new ScannedEntries();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);

    TableScan(final PageTable table) {
        this.table = table;
    }

    /** {@link ValueTable#forEach}: the visitor changes nothing. */
    void forEach(final ValueTable.Visitor visitor) {
        for (int index = 0; index < table.pages().groups(); index++) {
            final HashDirectory directory = table.directoryIfAny(index);
            if (directory != null) {
                forEach(directory.pages(), visitor);
            }
        }
    }

    private void forEach(final PageGroup group, final ValueTable.Visitor visitor) {
        for (int number = 0; number < group.end(); number++) {
            if (!group.has(number) || group.read(number, page).kind() != Page.HASH) {
                continue;
            }
            for (int slot = HashPage.firstSlot(page);
                    slot != HashPage.NOT_FOUND;
                    slot = HashPage.nextSlot(page, slot)) {
                final int entry = HashPage.entry(page, slot);
                bytes.wrapKey(group, page, entry, key);
                bytes.wrapValue(group, page, entry, value);
                visitor.onEntry(group.keyGroup(), key, value);
            }
        }
    }

    /**
     * {@link ValueTable#scan}. The cursor is the index of the key group and the first {@link HashDirectory#MAX_DEPTH} bits of the
     * hash to go on from. Pages lie in the order of their hash prefixes whatever is split or merged meanwhile, so a pass meets each
     * place once; a page that has grown backwards over the cursor is read from the cursor on. Of a page the keys are gathered
     * first, so that the visitor may change it.
     */
    long scan(final long cursor, final int maxEntries, final ValueTable.Visitor visitor) {
        if (cursor < 0 || maxEntries < 1) {
            throw new IllegalArgumentException(
                    "cursor=" + cursor + " must be >= 0, maxEntries=" + maxEntries + " >= 1");
        }
        final int groups = table.pages().groups();
        int index = (int) (cursor >>> Integer.SIZE);
        int from = (int) cursor << (Integer.SIZE - HashDirectory.MAX_DEPTH);
        int left = maxEntries;
        while (left > 0 && index < groups) {
            left--;
            final HashDirectory directory = table.directoryIfAny(index);
            int end = 0;
            if (directory != null) {
                final PageGroup group = directory.pages();
                group.read(directory.numberOfPrefix(from), page);
                final int depth = page.depth();
                end = depth == 0 ? 0 : page.prefix() + (1 << (Integer.SIZE - depth));
                left -= scanPages(group, from, visitor);
            }
            index += end == 0 ? 1 : 0;
            from = end;
        }
        return index == groups
                ? ValueTable.SCAN_END
                : ((long) index << Integer.SIZE) | (from >>> (Integer.SIZE - HashDirectory.MAX_DEPTH));
    }

    /** Visits the entries of the page that {@link #page} shows, and of those chained to it, from a hash prefix on. */
    private int scanPages(final PageGroup group, final int from, final ValueTable.Visitor visitor) {
        entries.clear();
        gather(group, from);
        while (page.next() != Page.NO_PAGE) {
            group.read(page.next(), page);
            gather(group, from);
        }
        final int keyGroup = group.keyGroup();
        for (int i = 0; i < entries.count(); i++) {
            entries.wrapKey(i, key);
            // What the visitor has taken out meanwhile is not there any more, and what it has changed is as it is now.
            if (table.get(keyGroup, key, 0, key.capacity(), value)) {
                visitor.onEntry(keyGroup, key, value);
            }
        }
        return entries.count();
    }

    private void gather(final PageGroup group, final int from) {
        for (int slot = HashPage.firstSlot(page); slot != HashPage.NOT_FOUND; slot = HashPage.nextSlot(page, slot)) {
            final int entry = HashPage.entry(page, slot);
            final int prefix = (int) (HashPage.hash(page, entry) >>> Integer.SIZE);
            if (Integer.compareUnsigned(prefix, from) >= 0) {
                bytes.wrapKey(group, page, entry, key);
                entries.addKey(key);
            }
        }
    }
}
