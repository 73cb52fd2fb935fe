package io.weir.storage.page;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** The keys of a page that a scan is at. Allocates nothing once it has grown. */
final class ScannedEntries {
    private final ExpandableArrayBuffer keys = new ExpandableArrayBuffer();
    private int[] ends = new int[64];
    private int count;

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    void addKey(final DirectBuffer key) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        final int start = start(count);
        keys.putBytes(start, key, 0, key.capacity());
        ends[count++] = start + key.capacity();
    }

    void wrapKey(final int index, final DirectBuffer view) {
        final int start = start(index);
        view.wrap(keys.byteArray(), start, ends[index] - start);
    }

    private int start(final int index) {
        return index == 0 ? 0 : ends[index - 1];
    }
}
