package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import io.weir.engine.api.ListState;
import io.weir.storage.state.ValueTable;
import java.util.Objects;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A list of the current key: its size in one table under the key, its elements in another under {@code [index, 4][key]}, in the
 * key group of the key.
 */
final class TableListState<V> implements ListState<V> {
    private final ValueTable elements;
    private final CurrentKey key;
    private final Codec<V> codec;
    private final TableLongState size;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer elementKey = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);

    TableListState(final ValueTable sizes, final ValueTable elements, final CurrentKey key, final Codec<V> codec) {
        this.elements = elements;
        this.key = key;
        this.codec = codec;
        this.size = new TableLongState(sizes, key, null);
    }

    @Override
    public void add(final V value) {
        final int index = size();
        final int length = codec.encode(value, encoded, 0);
        elements.put(key.group(), elementKey, 0, elementKey(index), encoded, 0, length);
        size.set(index + 1L);
    }

    @Override
    public int size() {
        return (int) size.get(0);
    }

    @Override
    public V get(final int index) {
        Objects.checkIndex(index, size());
        final boolean found = elements.get(key.group(), elementKey, 0, elementKey(index), view);
        assert found : "element " + index + " of " + size() + " is missing";
        final int length = view.capacity();
        copy.putBytes(0, view, 0, length);
        return codec.decode(copy, 0, length);
    }

    @Override
    public void clear() {
        for (int index = size() - 1; index >= 0; index--) {
            elements.remove(key.group(), elementKey, 0, elementKey(index));
        }
        size.clear();
    }

    private int elementKey(final int index) {
        elementKey.putInt(0, index, LITTLE_ENDIAN);
        elementKey.putBytes(Integer.BYTES, key.buffer(), 0, key.length());
        return Integer.BYTES + key.length();
    }
}
