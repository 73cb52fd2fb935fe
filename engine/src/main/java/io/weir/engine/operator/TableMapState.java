package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import io.weir.engine.api.MapState;
import io.weir.storage.state.ValueTable;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A map of the current key, in three tables, all in the key group of the key:
 *
 * <pre>
 *   entries   [key length, 4][key][map key] -> [slot, 4][value], behind a stamp with a time-to-live
 *   slots     [slot, 4][key]                -> [map key]
 *   sizes     [key]                         -> [number of slots, 8]
 * </pre>
 *
 * The slots of a key are numbered from 0 without gaps, so that its entries can be visited without looking at those of other
 * keys: the last slot moves into one that is freed. Each entry is named by the slot it names. Only with a time-to-live a slot can
 * name an entry that is not there, or has another slot: a snapshot may leave out entries that have expired. Such a slot is freed
 * when it is met.
 */
final class TableMapState<K, V> implements MapState<K, V> {
    private static final int MAP_KEY_PREFIX = Integer.BYTES;
    private static final int MOST_SWEPT_IN_A_SLOT = 16;

    private final ValueTable entries;
    private final ValueTable slots;
    private final TableLongState size;
    private final CurrentKey key;
    private final Codec<K> mapKeys;
    private final Codec<V> values;
    private final TimeToLive ttl;
    private final int slotOffset;
    private final int valueOffset;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer entryKey = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer movedKey = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer slotKey = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);
    private final Codec<K> visitedMapKeys;
    private final Codec<V> visitedValues;
    private final ExpandableArrayBuffer visitedKey = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer visitedValue = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer sweptKey = new ExpandableArrayBuffer(64);

    /** The codecs may be shared, as this takes its own. Without a time-to-live {@code ttl} is null. */
    TableMapState(
            final Tables tables,
            final CurrentKey key,
            final Codec<K> mapKeys,
            final Codec<V> values,
            final TimeToLive ttl) {
        this.entries = tables.entries;
        this.slots = tables.slots;
        this.size = new TableLongState(tables.sizes, key, null);
        this.key = key;
        this.ttl = ttl;
        slotOffset = TimeToLive.prefix(ttl);
        valueOffset = slotOffset + Integer.BYTES;
        this.mapKeys = mapKeys.forTask();
        this.values = values.forTask();
        visitedMapKeys = mapKeys.forTask();
        visitedValues = values.forTask();
    }

    @Override
    public V get(final K mapKey) {
        final int keyLength = entryKey(mapKey);
        if (!findLive(keyLength)) {
            return null;
        }
        final int length = copy(copy, entryKey, keyLength);
        return values.decode(copy, valueOffset, length - valueOffset);
    }

    @Override
    public boolean contains(final K mapKey) {
        final int keyLength = entryKey(mapKey);
        if (!findLive(keyLength)) {
            return false;
        }
        if (ttl != null && ttl.isRenewedByReads()) {
            copy(copy, entryKey, keyLength);
        }
        return true;
    }

    @Override
    public void put(final K mapKey, final V value) {
        final int keyLength = entryKey(mapKey);
        final int length = valueOffset + values.encode(value, encoded, valueOffset);
        final boolean added = !find(entryKey, keyLength);
        final int slot = added ? size() : slotOf(view);
        encoded.putInt(slotOffset, slot, LITTLE_ENDIAN);
        if (ttl != null) {
            ttl.stamp(encoded);
        }
        entries.put(key.group(), entryKey, 0, keyLength, encoded, 0, length);
        if (added) {
            putSlot(slot, entryKey, keyLength);
            size.set(slot + 1L);
        }
    }

    @Override
    public boolean remove(final K mapKey) {
        final int keyLength = entryKey(mapKey);
        if (!findLive(keyLength)) {
            return false;
        }
        final int slot = slotOf(view);
        entries.remove(key.group(), entryKey, 0, keyLength);
        freeSlot(slot);
        return true;
    }

    @Override
    public boolean isEmpty() {
        for (int last = size() - 1; last >= 0; last = size() - 1) {
            if (ttl == null || !freedAsGone(last, movedKey, keyOfSlot(last, movedKey))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void forEach(final Visitor<? super K, ? super V> visitor) throws Exception {
        // From the last to the first: what moves into the slot of a removed entry has been visited already.
        for (int slot = size() - 1; slot >= 0; slot = Math.min(slot, size()) - 1) {
            final int keyLength = keyOfSlot(slot, visitedKey);
            if (ttl != null && freedAsGone(slot, visitedKey, keyLength)) {
                continue;
            }
            final boolean found = find(visitedKey, keyLength);
            assert found : "slot " + slot + " of " + size() + " has no entry";
            final int length = copy(visitedValue, visitedKey, keyLength);
            final int mapKeyOffset = MAP_KEY_PREFIX + key.length();
            visitor.onEntry(
                    visitedMapKeys.decode(visitedKey, mapKeyOffset, keyLength - mapKeyOffset),
                    visitedValues.decode(visitedValue, valueOffset, length - valueOffset));
        }
    }

    @Override
    public void clear() {
        for (int slot = size() - 1; slot >= 0; slot--) {
            entries.remove(key.group(), movedKey, 0, keyOfSlot(slot, movedKey));
            slots.remove(key.group(), slotKey, 0, slotKey(slot));
        }
        size.clear();
    }

    /** Frees a slot, and what then moves into it, if its entry is gone or has expired. Changes the current key. */
    void sweep(final int keyGroup, final DirectBuffer slotAndKey, final DirectBuffer ignoredMapKey) {
        final int slot = slotAndKey.getInt(0, LITTLE_ENDIAN);
        final int length = slotAndKey.capacity() - Integer.BYTES;
        sweptKey.putBytes(0, slotAndKey, Integer.BYTES, length);
        key.set(keyGroup, sweptKey, length);
        for (int i = 0; i < MOST_SWEPT_IN_A_SLOT && slot < size(); i++) {
            if (!freedAsGone(slot, visitedKey, keyOfSlot(slot, visitedKey))) {
                return;
            }
        }
    }

    private int size() {
        return (int) size.get(0);
    }

    private int slotOf(final DirectBuffer entry) {
        return entry.getInt(slotOffset, LITTLE_ENDIAN);
    }

    private boolean find(final DirectBuffer entry, final int keyLength) {
        return entries.get(key.group(), entry, 0, keyLength, view);
    }

    /** Finds the entry of {@link #entryKey}; one that has expired is removed. */
    private boolean findLive(final int keyLength) {
        if (!find(entryKey, keyLength)) {
            return false;
        }
        return ttl == null || !freedAsGone(slotOf(view), entryKey, keyLength);
    }

    /** With a time-to-live: frees a slot whose entry is not there, has another slot, or has expired. Else finds the entry. */
    private boolean freedAsGone(final int slot, final DirectBuffer entry, final int keyLength) {
        if (find(entry, keyLength) && slotOf(view) == slot) {
            if (!ttl.isExpired(view)) {
                return false;
            }
            entries.remove(key.group(), entry, 0, keyLength);
        }
        freeSlot(slot);
        return true;
    }

    /** Copies the entry that was found, so that a flyweight over it may be changed in place; renewed if reads do that. */
    private int copy(final ExpandableArrayBuffer target, final DirectBuffer entry, final int keyLength) {
        final int length = view.capacity();
        target.putBytes(0, view, 0, length);
        if (ttl != null && ttl.renew(target)) {
            entries.put(key.group(), entry, 0, keyLength, target, 0, length);
        }
        return length;
    }

    private void freeSlot(final int slot) {
        int last = size() - 1;
        while (last > slot && !move(last, slot)) {
            // Its entry was left out of a snapshot: nobody needs the slot.
            slots.remove(key.group(), slotKey, 0, slotKey(last));
            last--;
        }
        slots.remove(key.group(), slotKey, 0, slotKey(last));
        if (last == 0) {
            size.clear();
        } else {
            size.set(last);
        }
    }

    private boolean move(final int from, final int slot) {
        final int keyLength = keyOfSlot(from, movedKey);
        if (!find(movedKey, keyLength) || slotOf(view) != from) {
            assert ttl != null : "slot " + from + " has no entry";
            return false;
        }
        final int length = view.capacity();
        encoded.putBytes(0, view, 0, length);
        encoded.putInt(slotOffset, slot, LITTLE_ENDIAN);
        entries.put(key.group(), movedKey, 0, keyLength, encoded, 0, length);
        putSlot(slot, movedKey, keyLength);
        return true;
    }

    private void putSlot(final int slot, final DirectBuffer entry, final int keyLength) {
        final int mapKeyOffset = MAP_KEY_PREFIX + key.length();
        slots.put(key.group(), slotKey, 0, slotKey(slot), entry, mapKeyOffset, keyLength - mapKeyOffset);
    }

    private int entryKey(final K mapKey) {
        final int offset = putKey(entryKey);
        return offset + mapKeys.encode(mapKey, entryKey, offset);
    }

    private int keyOfSlot(final int slot, final ExpandableArrayBuffer target) {
        final boolean found = slots.get(key.group(), slotKey, 0, slotKey(slot), view);
        assert found : "slot " + slot + " of " + size() + " is missing";
        final int offset = putKey(target);
        target.putBytes(offset, view, 0, view.capacity());
        return offset + view.capacity();
    }

    private int putKey(final ExpandableArrayBuffer target) {
        target.putInt(0, key.length(), LITTLE_ENDIAN);
        target.putBytes(MAP_KEY_PREFIX, key.buffer(), 0, key.length());
        return MAP_KEY_PREFIX + key.length();
    }

    private int slotKey(final int slot) {
        slotKey.putInt(0, slot, LITTLE_ENDIAN);
        slotKey.putBytes(Integer.BYTES, key.buffer(), 0, key.length());
        return Integer.BYTES + key.length();
    }

    /** The tables of a map, as in the picture. */
    record Tables(ValueTable entries, ValueTable slots, ValueTable sizes) {}
}
