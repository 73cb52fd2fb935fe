package io.weir.storage.state;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A hash map per key group. */
final class HeapValueTable implements ValueTable {
    private StateDescriptor descriptor;
    private final int firstKeyGroup;
    private final ByteMap[] groups;
    private final UnsafeBuffer scannedKey = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer scannedValue = new UnsafeBuffer(0, 0);
    private StateDescriptor.Expiry expiry;
    private long size;

    HeapValueTable(final StateDescriptor descriptor, final int firstKeyGroup, final int endKeyGroup) {
        this.descriptor = descriptor;
        this.expiry = descriptor.expiry();
        this.firstKeyGroup = firstKeyGroup;
        this.groups = new ByteMap[endKeyGroup - firstKeyGroup];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = new ByteMap();
        }
    }

    StateDescriptor descriptor() {
        return descriptor;
    }

    /** Goes on with a descriptor of the same state, whose codecs the entries have. */
    void descriptor(final StateDescriptor newDescriptor) {
        descriptor = newDescriptor;
        expiry = newDescriptor.expiry();
    }

    private ByteMap group(final int keyGroup) {
        final int index = keyGroup - firstKeyGroup;
        if (index < 0 || index >= groups.length) {
            throw foreign(descriptor.name(), keyGroup, firstKeyGroup, firstKeyGroup + groups.length);
        }
        return groups[index];
    }

    static StateException foreign(final String name, final int keyGroup, final int first, final int end) {
        return new StateException(
                "state " + name + ": keyGroup=" + keyGroup + " is not owned, only [" + first + ", " + end + ")");
    }

    @Override
    public boolean get(
            final int keyGroup, final DirectBuffer key, final int offset, final int length, final DirectBuffer value) {
        final byte[] found = group(keyGroup).get(key, offset, length);
        if (found == null) {
            return false;
        }
        value.wrap(found);
        return true;
    }

    @Override
    public void put(
            final int keyGroup,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer value,
            final int valueOffset,
            final int valueLength) {
        if (group(keyGroup).put(key, keyOffset, keyLength, value, valueOffset, valueLength)) {
            size++;
        }
    }

    @Override
    public boolean remove(final int keyGroup, final DirectBuffer key, final int offset, final int length) {
        final boolean removed = group(keyGroup).remove(key, offset, length);
        if (removed) {
            size--;
        }
        return removed;
    }

    @Override
    public void forEach(final Visitor visitor) {
        final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
        final UnsafeBuffer valueView = new UnsafeBuffer(0, 0);
        for (int i = 0; i < groups.length; i++) {
            final int keyGroup = firstKeyGroup + i;
            groups[i].forEach((key, value) -> {
                keyView.wrap(key);
                valueView.wrap(value);
                visitor.onEntry(keyGroup, keyView, valueView);
            });
        }
    }

    /** A cursor is an index of a group and, below it, a position in that map. */
    @Override
    public long scan(final long cursor, final int maxEntries, final Visitor visitor) {
        if (cursor < 0 || maxEntries < 1) {
            throw new IllegalArgumentException(
                    "cursor=" + cursor + " must be >= 0, maxEntries=" + maxEntries + " >= 1");
        }
        int index = (int) (cursor >>> Integer.SIZE);
        long position = cursor & 0xFFFF_FFFFL;
        int left = maxEntries;
        while (left > 0 && index < groups.length) {
            final ByteMap group = groups[index];
            final long next = group.size() == 0 ? ByteMap.END : group.behind(position);
            left -= 1;
            if (group.size() > 0) {
                left -= scan(group, index, position, visitor);
            }
            position = next == ByteMap.END ? 0 : next;
            index += next == ByteMap.END ? 1 : 0;
        }
        return index == groups.length ? SCAN_END : (long) index << Integer.SIZE | position;
    }

    private int scan(final ByteMap group, final int index, final long position, final Visitor visitor) {
        final int count = group.gather(position);
        for (int i = 0; i < count; i++) {
            scannedKey.wrap(group.gatheredKey(i));
            scannedValue.wrap(group.gatheredValue(i));
            visitor.onEntry(firstKeyGroup + index, scannedKey, scannedValue);
        }
        group.forgetGathered(count);
        return count;
    }

    @Override
    public long size() {
        return size;
    }

    /** A copy of all entries but those that have expired. */
    FrozenEntries freeze(final long nowNs) {
        final FrozenEntries frozen =
                new FrozenEntries(StateFormat.VALUE_PREFIX + descriptor.name(), StateFormat.attributes(descriptor));
        forEach((keyGroup, key, value) -> {
            if (expiry != null && expiry.hasExpired(value, nowNs)) {
                return;
            }
            final int offset = frozen.claim(keyGroup, StateFormat.valueEntryLength(key.capacity(), value.capacity()));
            StateFormat.putValueEntry(frozen.buffer(), offset, key, value);
        });
        return frozen;
    }
}
