package io.weir.benchmarks.state;

import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StoreContext;
import io.weir.storage.state.ValueTable;
import org.agrona.concurrent.UnsafeBuffer;

/** A table of one of Weir's backends, looked up key by key, or with the keys of a batch touched ahead. */
final class TableContender implements Contender {
    private static final StateDescriptor STATE = new StateDescriptor("bench/count", "long", "long3");

    private final String name;
    private final KeyedStateStore store;
    private final ValueTable table;
    private final int batch;
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Keys.KEY_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Keys.VALUE_LENGTH]);
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    private TableContender(final String name, final KeyedStateStore store, final int batch) {
        this.name = name;
        this.store = store;
        this.table = store.valueTable(STATE);
        this.batch = batch;
    }

    static TableContender open(final StateBackend backend, final FolderSegments segments) {
        return of(backend.name(), backend.open(context(segments)));
    }

    static TableContender of(final String name, final KeyedStateStore store) {
        return new TableContender(name, store, 1);
    }

    static StoreContext context(final FolderSegments segments) {
        return new StoreContext(Keys.KEY_GROUPS, 0, Keys.KEY_GROUPS, segments);
    }

    /** The same table, with the keys of a batch touched ahead. */
    TableContender batched(final int keys) {
        return new TableContender(name + ", batches of " + keys, store, keys);
    }

    KeyedStateStore store() {
        return store;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void fill(final Keys.Draw keys) {
        for (int i = 0; i < keys.size(); i++) {
            put(keys.keys()[i], keys.groups()[i], 0);
        }
    }

    private void put(final long toPut, final int group, final long count) {
        key.putLong(0, toPut);
        value.putLong(0, count);
        value.putLong(Long.BYTES, toPut);
        value.putLong(2 * Long.BYTES, ~toPut);
        table.put(group, key, 0, Keys.KEY_LENGTH, value, 0, Keys.VALUE_LENGTH);
    }

    @Override
    public long read(final Keys.Draw keys) {
        long sum = 0;
        for (int from = 0; from < keys.size(); from += batch) {
            final int end = Math.min(keys.size(), from + batch);
            touch(keys, from, end);
            for (int i = from; i < end; i++) {
                key.putLong(0, keys.keys()[i]);
                if (!table.get(keys.groups()[i], key, 0, Keys.KEY_LENGTH, view)) {
                    throw missing(keys.keys()[i]);
                }
                sum += view.getLong(0);
            }
        }
        return sum;
    }

    @Override
    public void update(final Keys.Draw keys) {
        update(keys, 0, keys.size());
    }

    /** Updates some keys of a draw. */
    void update(final Keys.Draw keys, final int first, final int last) {
        for (int from = first; from < last; from += batch) {
            final int end = Math.min(last, from + batch);
            touch(keys, from, end);
            for (int i = from; i < end; i++) {
                key.putLong(0, keys.keys()[i]);
                if (!table.get(keys.groups()[i], key, 0, Keys.KEY_LENGTH, view)) {
                    throw missing(keys.keys()[i]);
                }
                value.putLong(0, view.getLong(0) + 1);
                value.putLong(Long.BYTES, view.getLong(Long.BYTES));
                value.putLong(2 * Long.BYTES, view.getLong(2 * Long.BYTES));
                table.put(keys.groups()[i], key, 0, Keys.KEY_LENGTH, value, 0, Keys.VALUE_LENGTH);
            }
        }
    }

    private void touch(final Keys.Draw keys, final int from, final int end) {
        if (batch == 1) {
            return;
        }
        for (int i = from; i < end; i++) {
            key.putLong(0, keys.keys()[i]);
            table.ahead(keys.groups()[i], key, 0, Keys.KEY_LENGTH);
        }
        table.touch();
    }

    private IllegalStateException missing(final long lost) {
        return new IllegalStateException(name + " has lost key " + lost);
    }

    @Override
    public long count(final long wanted, final int group) {
        key.putLong(0, wanted);
        return table.get(group, key, 0, Keys.KEY_LENGTH, view)
                        && view.capacity() == Keys.VALUE_LENGTH
                        && view.getLong(Long.BYTES) == wanted
                        && view.getLong(2 * Long.BYTES) == ~wanted
                ? view.getLong(0)
                : WRONG;
    }

    /** Reads all there is; the number of entries. */
    long readAll() {
        final long[] entries = new long[1];
        table.forEach((keyGroup, entryKey, entryValue) -> entries[0]++);
        return entries[0];
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() {
        store.close();
    }
}
