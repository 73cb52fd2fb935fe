package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.LongState;
import io.weir.storage.state.ValueTable;
import org.agrona.concurrent.UnsafeBuffer;

/** A number of the current key in a table. */
final class TableLongState implements LongState {
    private final ValueTable table;
    private final CurrentKey key;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer encoded = new UnsafeBuffer(new byte[Long.BYTES]);

    TableLongState(final ValueTable table, final CurrentKey key) {
        this.table = table;
        this.key = key;
    }

    @Override
    public long get(final long missing) {
        return table.get(key.group(), key.buffer(), 0, key.length(), view) ? view.getLong(0, LITTLE_ENDIAN) : missing;
    }

    @Override
    public void set(final long value) {
        encoded.putLong(0, value, LITTLE_ENDIAN);
        table.put(key.group(), key.buffer(), 0, key.length(), encoded, 0, Long.BYTES);
    }

    @Override
    public void clear() {
        table.remove(key.group(), key.buffer(), 0, key.length());
    }
}
