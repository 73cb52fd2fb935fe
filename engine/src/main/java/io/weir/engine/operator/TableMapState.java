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
 *   entries   [key length, 4][key][map key] -> [slot, 4][value]
 *   slots     [slot, 4][key]                -> [map key]
 *   sizes     [key]                         -> [number of slots, 8]
 * </pre>
 *
 * The slots of a key are numbered from 0 without gaps, so that its entries can be visited without looking at those of other
 * keys: the last slot moves into one that is freed.
 */
final class TableMapState<K, V> implements MapState<K, V> {
    private static final int MAP_KEY_PREFIX = Integer.BYTES;
    private static final int VALUE_OFFSET = Integer.BYTES;

    private final ValueTable entries;
    private final ValueTable slots;
    private final TableLongState size;
    private final CurrentKey key;
    private final Codec<K> mapKeys;
    private final Codec<V> values;
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

    /** The tables, in the order of the picture; the codecs may be shared, as this takes its own. */
    TableMapState(
            final ValueTable entries,
            final ValueTable slots,
            final TableLongState size,
            final CurrentKey key,
            final Codec<K> mapKeys,
            final Codec<V> values) {
        this.entries = entries;
        this.slots = slots;
        this.size = size;
        this.key = key;
        this.mapKeys = mapKeys.forTask();
        this.values = values.forTask();
        visitedMapKeys = mapKeys.forTask();
        visitedValues = values.forTask();
    }

    @Override
    public V get(final K mapKey) {
        if (!find(entryKey, entryKey(mapKey))) {
            return null;
        }
        final int length = view.capacity() - VALUE_OFFSET;
        copy.putBytes(0, view, VALUE_OFFSET, length);
        return values.decode(copy, 0, length);
    }

    @Override
    public boolean contains(final K mapKey) {
        return find(entryKey, entryKey(mapKey));
    }

    @Override
    public void put(final K mapKey, final V value) {
        final int keyLength = entryKey(mapKey);
        final int length = VALUE_OFFSET + values.encode(value, encoded, VALUE_OFFSET);
        final boolean added = !find(entryKey, keyLength);
        final int slot = added ? size() : view.getInt(0, LITTLE_ENDIAN);
        encoded.putInt(0, slot, LITTLE_ENDIAN);
        entries.put(key.group(), entryKey, 0, keyLength, encoded, 0, length);
        if (added) {
            putSlot(slot, entryKey, keyLength);
            size.set(slot + 1L);
        }
    }

    @Override
    public boolean remove(final K mapKey) {
        final int keyLength = entryKey(mapKey);
        if (!find(entryKey, keyLength)) {
            return false;
        }
        final int slot = view.getInt(0, LITTLE_ENDIAN);
        entries.remove(key.group(), entryKey, 0, keyLength);
        freeSlot(slot);
        return true;
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public void forEach(final Visitor<? super K, ? super V> visitor) throws Exception {
        // From the last to the first: what moves into the slot of a removed entry has been visited already.
        for (int slot = size() - 1; slot >= 0; slot = Math.min(slot, size()) - 1) {
            final int keyLength = keyOfSlot(slot, visitedKey);
            final boolean found = find(visitedKey, keyLength);
            assert found : "slot " + slot + " of " + size() + " has no entry";
            final int length = view.capacity() - VALUE_OFFSET;
            visitedValue.putBytes(0, view, VALUE_OFFSET, length);
            final int mapKeyOffset = MAP_KEY_PREFIX + key.length();
            visitor.onEntry(
                    visitedMapKeys.decode(visitedKey, mapKeyOffset, keyLength - mapKeyOffset),
                    visitedValues.decode(visitedValue, 0, length));
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

    private int size() {
        return (int) size.get(0);
    }

    private boolean find(final DirectBuffer entry, final int keyLength) {
        return entries.get(key.group(), entry, 0, keyLength, view);
    }

    private void freeSlot(final int slot) {
        final int last = size() - 1;
        if (slot != last) {
            final int keyLength = keyOfSlot(last, movedKey);
            final boolean found = find(movedKey, keyLength);
            assert found : "slot " + last + " has no entry";
            final int length = view.capacity();
            encoded.putBytes(0, view, 0, length);
            encoded.putInt(0, slot, LITTLE_ENDIAN);
            entries.put(key.group(), movedKey, 0, keyLength, encoded, 0, length);
            putSlot(slot, movedKey, keyLength);
        }
        slots.remove(key.group(), slotKey, 0, slotKey(last));
        if (last == 0) {
            size.clear();
        } else {
            size.set(last);
        }
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
}
