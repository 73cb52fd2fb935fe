package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codec;
import io.weir.engine.api.MapState;
import io.weir.storage.state.CodecText;
import io.weir.storage.state.StateUpgrade;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A broadcast state as bytes on the heap. In a snapshot it is a list, the codecs first, so that the list of an empty state is not
 * empty; an entry's array is never changed, so a snapshot shares it:
 *
 * <pre>
 *   [length, 4][text of the keys' codec, UTF-8][length, 4][text of the values' codec, UTF-8]
 *   [key length, 4][key][value]  per entry
 * </pre>
 *
 * The entries are numbered from 0 without gaps: the last one moves into the place of one that is removed. Task thread only.
 */
final class HeapBroadcastState<K, V> implements BroadcastState<K, V> {
    private static final int KEY_OFFSET = Integer.BYTES;

    private final BroadcastStateDescriptor<K, V> descriptor;
    private final Codec<K> keys;
    private final Codec<V> values;
    private final Codec<K> visitedKeys;
    private final Codec<V> visitedValues;
    private final Map<UnsafeBuffer, Entry> byKey = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);
    private final UnsafeBuffer wanted = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer visited = new ExpandableArrayBuffer(64);

    /**
     * A state with what was restored of it.
     *
     * @param uid of the operator, for errors.
     * @param restored as {@link #elements()} gave it, empty without any.
     * @throws io.weir.storage.state.StateException if it has other codecs, and can't be migrated.
     */
    HeapBroadcastState(final String uid, final BroadcastStateDescriptor<K, V> descriptor, final List<byte[]> restored) {
        this.descriptor = descriptor;
        keys = descriptor.keys().forTask();
        values = descriptor.values().forTask();
        visitedKeys = descriptor.keys().forTask();
        visitedValues = descriptor.values().forTask();
        if (restored.isEmpty()) {
            return;
        }
        final UnsafeBuffer codecs = new UnsafeBuffer(restored.get(0));
        final String keysWere = codecs.getStringUtf8(0, LITTLE_ENDIAN);
        final String valuesWere = codecs.getStringUtf8(Integer.BYTES + codecs.getInt(0, LITTLE_ENDIAN), LITTLE_ENDIAN);
        for (final byte[] element : restored.subList(1, restored.size())) {
            add(new Entry(element, entries.size()));
        }
        upgrade("broadcast state '" + descriptor.name() + "' of operator " + uid, keysWere, valuesWere);
    }

    private void upgrade(final String state, final String keysWere, final String valuesWere) {
        final String keyText = CodecTexts.of(keys);
        final String valueText = CodecTexts.of(values);
        if (!keysWere.equals(keyText)) {
            throw StateUpgrade.keysChanged(state, keysWere, keyText);
        }
        if (valuesWere.equals(valueText)) {
            return;
        }
        final CodecMigration<V> migration = CodecMigration.of(state, keyText, values, 0);
        StateUpgrade.checkVersions(state, "value codec", valuesWere, valueText, migration);
        final int fromVersion = CodecText.parse(valuesWere).version();
        for (final Entry entry : entries) {
            final int offset = entry.valueOffset();
            final UnsafeBuffer old = new UnsafeBuffer(entry.element, offset, entry.element.length - offset);
            final int length = migration.migrate(fromVersion, entry.key, old, encoded);
            final byte[] element = Arrays.copyOf(entry.element, offset + length);
            encoded.getBytes(0, element, offset, length);
            entry.wrap(element);
        }
    }

    BroadcastStateDescriptor<K, V> descriptor() {
        return descriptor;
    }

    /** What a snapshot keeps. */
    List<byte[]> elements() {
        final List<byte[]> elements = new ArrayList<>(entries.size() + 1);
        elements.add(codecs());
        for (final Entry entry : entries) {
            elements.add(entry.element);
        }
        return elements;
    }

    @Override
    public V get(final K mapKey) {
        final Entry entry = find(mapKey);
        if (entry == null) {
            return null;
        }
        final int offset = entry.valueOffset();
        final int length = entry.element.length - offset;
        copy.putBytes(0, entry.element, offset, length);
        return values.decode(copy, 0, length);
    }

    @Override
    public boolean contains(final K mapKey) {
        return find(mapKey) != null;
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public void put(final K mapKey, final V value) {
        final int keyLength = encodeKey(mapKey);
        final int valueOffset = KEY_OFFSET + keyLength;
        final byte[] element = new byte[valueOffset + values.encode(value, encoded, valueOffset)];
        encoded.putInt(0, keyLength, LITTLE_ENDIAN);
        encoded.getBytes(0, element);
        wanted.wrap(encoded, KEY_OFFSET, keyLength);
        final Entry entry = byKey.get(wanted);
        if (entry == null) {
            add(new Entry(element, entries.size()));
        } else {
            entry.wrap(element);
        }
    }

    @Override
    public boolean remove(final K mapKey) {
        final Entry removed = find(mapKey);
        if (removed == null) {
            return false;
        }
        byKey.remove(removed.key);
        final Entry last = entries.remove(entries.size() - 1);
        if (last != removed) {
            last.index = removed.index;
            entries.set(last.index, last);
        }
        return true;
    }

    @Override
    public void forEach(final MapState.Visitor<? super K, ? super V> visitor) throws Exception {
        // From the last to the first: what moves into the place of a removed entry has been visited already.
        for (int i = entries.size() - 1; i >= 0; i = Math.min(i, entries.size()) - 1) {
            final byte[] element = entries.get(i).element;
            final int valueOffset = entries.get(i).valueOffset();
            visited.putBytes(0, element);
            visitor.onEntry(
                    visitedKeys.decode(visited, KEY_OFFSET, valueOffset - KEY_OFFSET),
                    visitedValues.decode(visited, valueOffset, element.length - valueOffset));
        }
    }

    @Override
    public void clear() {
        byKey.clear();
        entries.clear();
    }

    private Entry find(final K mapKey) {
        wanted.wrap(encoded, KEY_OFFSET, encodeKey(mapKey));
        return byKey.get(wanted);
    }

    private int encodeKey(final K mapKey) {
        return keys.encode(mapKey, encoded, KEY_OFFSET);
    }

    private void add(final Entry entry) {
        byKey.put(entry.key, entry);
        entries.add(entry);
    }

    private byte[] codecs() {
        int length = encoded.putStringUtf8(0, CodecTexts.of(keys), LITTLE_ENDIAN);
        length += encoded.putStringUtf8(length, CodecTexts.of(values), LITTLE_ENDIAN);
        final byte[] codecs = new byte[length];
        encoded.getBytes(0, codecs);
        return codecs;
    }

    private static final class Entry {
        private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        private byte[] element;
        private int index;

        Entry(final byte[] element, final int index) {
            this.index = index;
            wrap(element);
        }

        /** Another value for the same key. */
        void wrap(final byte[] newElement) {
            element = newElement;
            key.wrap(newElement);
            key.wrap(newElement, KEY_OFFSET, key.getInt(0, LITTLE_ENDIAN));
        }

        int valueOffset() {
            return KEY_OFFSET + key.capacity();
        }
    }
}
