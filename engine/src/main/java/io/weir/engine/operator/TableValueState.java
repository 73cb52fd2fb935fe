package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.engine.api.ValueState;
import io.weir.storage.state.ValueTable;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A value of the current key in a table, behind its stamp if it has a time-to-live. Reading copies the bytes, so that a
 * flyweight over them may be changed in place.
 */
final class TableValueState<V> implements ValueState<V> {
    private final ValueTable table;
    private final CurrentKey key;
    private final Codec<V> codec;
    private final TimeToLive ttl;
    private final int prefix;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);

    /** Without a time-to-live {@code ttl} is null. */
    TableValueState(final ValueTable table, final CurrentKey key, final Codec<V> codec, final TimeToLive ttl) {
        this.table = table;
        this.key = key;
        this.codec = codec;
        this.ttl = ttl;
        prefix = TimeToLive.prefix(ttl);
    }

    @Override
    public V value() {
        if (!table.get(key.group(), key.buffer(), 0, key.length(), view)) {
            return null;
        }
        if (ttl != null && ttl.isExpired(view)) {
            clear();
            return null;
        }
        final int length = view.capacity();
        copy.putBytes(0, view, 0, length);
        if (ttl != null && ttl.renew(copy)) {
            table.put(key.group(), key.buffer(), 0, key.length(), copy, 0, length);
        }
        return codec.decode(copy, prefix, length - prefix);
    }

    @Override
    public void update(final V value) {
        final int length = prefix + codec.encode(value, encoded, prefix);
        if (ttl != null) {
            ttl.stamp(encoded);
        }
        table.put(key.group(), key.buffer(), 0, key.length(), encoded, 0, length);
    }

    @Override
    public void clear() {
        table.remove(key.group(), key.buffer(), 0, key.length());
    }

    /** Whether there is a value, not expired; renews nothing. */
    boolean isPresent() {
        return table.get(key.group(), key.buffer(), 0, key.length(), view) && (ttl == null || !ttl.isExpired(view));
    }

    /** Removes an entry that has expired. */
    void sweep(final int keyGroup, final DirectBuffer sweptKey, final DirectBuffer value) {
        if (ttl.isExpired(value)) {
            table.remove(keyGroup, sweptKey, 0, sweptKey.capacity());
        }
    }
}
