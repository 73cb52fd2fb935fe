package io.weir.storage.state;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A hash map from bytes to bytes with chained entries. Lookups, and puts that keep a value's length, allocate nothing. */
final class ByteMap {
    /** Behind the last position. */
    static final long END = 1L << Integer.SIZE;

    private static final int INITIAL_BUCKETS = 8;

    private final UnsafeBuffer stored = new UnsafeBuffer(0, 0);
    private Entry[] buckets = new Entry[INITIAL_BUCKETS];
    private Entry[] gathered = new Entry[4];
    private int size;

    int size() {
        return size;
    }

    byte[] get(final DirectBuffer key, final int offset, final int length) {
        final Entry entry = find(KeyGroups.hash(key, offset, length), key, offset, length);
        return entry == null ? null : entry.value;
    }

    /** Adds or replaces; says whether the key is new. */
    boolean put(
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer value,
            final int valueOffset,
            final int valueLength) {
        final int hash = KeyGroups.hash(key, keyOffset, keyLength);
        final Entry entry = find(hash, key, keyOffset, keyLength);
        if (entry == null) {
            add(new Entry(hash, copy(key, keyOffset, keyLength), copy(value, valueOffset, valueLength)));
            return true;
        }
        if (entry.value.length == valueLength) {
            value.getBytes(valueOffset, entry.value);
        } else {
            entry.value = copy(value, valueOffset, valueLength);
        }
        return false;
    }

    boolean remove(final DirectBuffer key, final int offset, final int length) {
        final Entry entry = find(KeyGroups.hash(key, offset, length), key, offset, length);
        if (entry == null) {
            return false;
        }
        final int bucket = entry.hash & buckets.length - 1;
        if (buckets[bucket] == entry) {
            buckets[bucket] = entry.next;
        } else {
            Entry before = buckets[bucket];
            while (before.next != entry) {
                before = before.next;
            }
            before.next = entry.next;
        }
        size--;
        return true;
    }

    void forEach(final EntryVisitor visitor) {
        for (final Entry bucket : buckets) {
            for (Entry entry = bucket; entry != null; entry = entry.next) {
                visitor.onEntry(entry.key, entry.value);
            }
        }
    }

    /**
     * The position behind the bucket of a position. A position is the reversed hash of what may lie there, unsigned: so when the
     * buckets double, the two halves of one stay neighbours, and who goes by rising positions meets each entry once.
     */
    long behind(final long position) {
        final long width = END / buckets.length;
        return (position | width - 1) + 1;
    }

    /** Takes hold of the entries at a position, so that the map may change while somebody looks at them. */
    int gather(final long position) {
        int count = 0;
        for (Entry entry = buckets[Integer.reverse((int) position) & buckets.length - 1];
                entry != null;
                entry = entry.next) {
            if (count == gathered.length) {
                gathered = Arrays.copyOf(gathered, 2 * count);
            }
            gathered[count++] = entry;
        }
        return count;
    }

    byte[] gatheredKey(final int index) {
        return gathered[index].key;
    }

    byte[] gatheredValue(final int index) {
        return gathered[index].value;
    }

    void forgetGathered(final int count) {
        Arrays.fill(gathered, 0, count, null);
    }

    private Entry find(final int hash, final DirectBuffer key, final int offset, final int length) {
        Entry entry = buckets[hash & buckets.length - 1];
        while (entry != null && !(entry.hash == hash && isKey(entry.key, key, offset, length))) {
            entry = entry.next;
        }
        return entry;
    }

    private boolean isKey(final byte[] storedKey, final DirectBuffer key, final int offset, final int length) {
        if (storedKey.length != length) {
            return false;
        }
        stored.wrap(storedKey);
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (stored.getLong(i) != key.getLong(offset + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (stored.getByte(i) != key.getByte(offset + i)) {
                return false;
            }
        }
        return true;
    }

    private void add(final Entry entry) {
        if (size >= buckets.length && buckets.length < 1 << 30) {
            final Entry[] old = buckets;
            buckets = new Entry[old.length * 2];
            for (final Entry bucket : old) {
                for (Entry moved = bucket; moved != null; ) {
                    final Entry next = moved.next;
                    link(moved);
                    moved = next;
                }
            }
        }
        link(entry);
        size++;
    }

    private void link(final Entry entry) {
        final int bucket = entry.hash & buckets.length - 1;
        entry.next = buckets[bucket];
        buckets[bucket] = entry;
    }

    private static byte[] copy(final DirectBuffer source, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        source.getBytes(offset, bytes);
        return bytes;
    }

    void clear() {
        Arrays.fill(buckets, null);
        size = 0;
    }

    /** Takes the entries of a map. */
    @FunctionalInterface
    interface EntryVisitor {
        void onEntry(byte[] key, byte[] value);
    }

    private static final class Entry {
        private final int hash;
        private final byte[] key;
        private byte[] value;
        private Entry next;

        private Entry(final int hash, final byte[] key, final byte[] value) {
            this.hash = hash;
            this.key = key;
            this.value = value;
        }
    }
}
