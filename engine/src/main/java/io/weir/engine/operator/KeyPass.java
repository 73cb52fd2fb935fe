package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.storage.state.ValueTable;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One pass over the keys of a state, each made the current key in turn. Keys are copied out of the table some at a time, {@code
 * [group, 4][length, 4][key]}, so that the table may be changed, and passed over by another, while a key is visited. Task thread
 * only.
 */
final class KeyPass implements ValueTable.Visitor {
    private static final int KEYS_AT_A_TIME = 256;

    private final ValueTable table;
    private final CurrentKey key;
    private final CurrentKey before;
    private final ExpandableArrayBuffer keys = new ExpandableArrayBuffer();
    private final UnsafeBuffer current = new UnsafeBuffer(0, 0);
    private int length;

    /** A pass over a table that has an entry under each key. */
    KeyPass(final ValueTable table, final CurrentKey key) {
        this.table = table;
        this.key = key;
        before = new CurrentKey(key);
    }

    /** Runs an action for each key that is present when its turn comes; the current key is the former one afterwards. */
    void run(final BooleanSupplier isPresent, final Action action) throws Exception {
        try {
            long cursor = ValueTable.SCAN_BEGIN;
            while (cursor != ValueTable.SCAN_END) {
                length = 0;
                cursor = table.scan(cursor, KEYS_AT_A_TIME, this);
                visit(isPresent, action);
            }
        } finally {
            key.set(before);
        }
    }

    @Override
    public void onEntry(final int keyGroup, final DirectBuffer entryKey, final DirectBuffer value) {
        keys.putInt(length, keyGroup, LITTLE_ENDIAN);
        keys.putInt(length + Integer.BYTES, entryKey.capacity(), LITTLE_ENDIAN);
        keys.putBytes(length + 2 * Integer.BYTES, entryKey, 0, entryKey.capacity());
        length += 2 * Integer.BYTES + entryKey.capacity();
    }

    private void visit(final BooleanSupplier isPresent, final Action action) throws Exception {
        for (int offset = 0; offset < length; ) {
            final int group = keys.getInt(offset, LITTLE_ENDIAN);
            final int keyLength = keys.getInt(offset + Integer.BYTES, LITTLE_ENDIAN);
            current.wrap(keys, offset + 2 * Integer.BYTES, keyLength);
            offset += 2 * Integer.BYTES + keyLength;
            key.set(group, current, keyLength);
            if (isPresent.getAsBoolean()) {
                action.run();
            }
        }
    }

    /** What is done for a key. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }
}
