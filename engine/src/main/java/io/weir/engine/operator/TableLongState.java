package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.LongState;
import io.weir.storage.state.ValueTable;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A number of the current key in a table, behind its stamp if it has a time-to-live. */
final class TableLongState implements LongState {
    private final ValueTable table;
    private final CurrentKey key;
    private final TimeToLive ttl;
    private final int prefix;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer encoded;

    /** Without a time-to-live {@code ttl} is null. */
    TableLongState(final ValueTable table, final CurrentKey key, final TimeToLive ttl) {
        this.table = table;
        this.key = key;
        this.ttl = ttl;
        prefix = TimeToLive.prefix(ttl);
        encoded = new UnsafeBuffer(new byte[prefix + Long.BYTES]);
    }

    @Override
    public long get(final long missing) {
        if (!table.get(key.group(), key.buffer(), 0, key.length(), view)) {
            return missing;
        }
        final long number = view.getLong(prefix, LITTLE_ENDIAN);
        if (ttl != null) {
            if (ttl.isExpired(view)) {
                clear();
                return missing;
            }
            if (ttl.isRenewedByReads() && ttl.stampOf(view) != ttl.nowNs()) {
                set(number);
            }
        }
        return number;
    }

    @Override
    public void set(final long value) {
        if (ttl != null) {
            ttl.stamp(encoded);
        }
        encoded.putLong(prefix, value, LITTLE_ENDIAN);
        table.put(key.group(), key.buffer(), 0, key.length(), encoded, 0, encoded.capacity());
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
