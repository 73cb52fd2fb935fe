package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.engine.api.ValueState;
import io.weir.storage.state.ValueTable;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A value of the current key in a table. Reading copies the bytes, so that a flyweight over them may be changed in place. */
final class TableValueState<V> implements ValueState<V> {
    private final ValueTable table;
    private final CurrentKey key;
    private final Codec<V> codec;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);

    TableValueState(final ValueTable table, final CurrentKey key, final Codec<V> codec) {
        this.table = table;
        this.key = key;
        this.codec = codec;
    }

    @Override
    public V value() {
        if (!table.get(key.group(), key.buffer(), 0, key.length(), view)) {
            return null;
        }
        final int length = view.capacity();
        copy.putBytes(0, view, 0, length);
        return codec.decode(copy, 0, length);
    }

    @Override
    public void update(final V value) {
        final int length = codec.encode(value, encoded, 0);
        table.put(key.group(), key.buffer(), 0, key.length(), encoded, 0, length);
    }

    @Override
    public void clear() {
        table.remove(key.group(), key.buffer(), 0, key.length());
    }
}
