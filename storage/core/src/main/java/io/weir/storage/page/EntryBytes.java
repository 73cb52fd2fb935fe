package io.weir.storage.page;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Lets views show the key and the value of an entry: where they are in its page, or as copies from overflow pages. */
final class EntryBytes {
    private final OverflowPages overflow = new OverflowPages();
    private final UnsafeBuffer largeKey = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer largeValue = new UnsafeBuffer(0, 0);

    /** Shows a key until the page changes or the next key is shown. */
    void wrapKey(final PageGroup group, final Page page, final int entry, final DirectBuffer view) {
        final int length = HashPage.keyLength(page, entry);
        if (HashPage.isLarge(page, entry)) {
            wrapLarge(group, page, entry, 0, length, largeKey, view);
        } else {
            view.wrap(page.address() + HashPage.keyOffset(entry), length);
        }
    }

    /** Shows a value until the page changes or the next value is shown. */
    void wrapValue(final PageGroup group, final Page page, final int entry, final DirectBuffer view) {
        final int length = HashPage.valueLength(page, entry);
        final int keyLength = HashPage.keyLength(page, entry);
        if (HashPage.isLarge(page, entry)) {
            wrapLarge(group, page, entry, keyLength, length, largeValue, view);
        } else {
            view.wrap(page.address() + HashPage.keyOffset(entry) + keyLength, length);
        }
    }

    private void wrapLarge(
            final PageGroup group,
            final Page page,
            final int entry,
            final int from,
            final int length,
            final UnsafeBuffer copy,
            final DirectBuffer view) {
        if (copy.capacity() < length) {
            copy.wrap(new byte[Math.max(length, (int) Math.min(PageTable.MAX_LARGE_LENGTH, 2L * copy.capacity()))]);
        }
        overflow.read(group, HashPage.firstOverflowPage(page, entry), from, copy, length);
        view.wrap(copy, 0, length);
    }
}
