package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import io.weir.engine.api.ListState;
import io.weir.storage.state.ValueTable;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A list of the current key whose elements expire one by one, in two tables, both in the key group of the key:
 *
 * <pre>
 *   bounds     [key]           -> [newest stamp, 8][last read, 8][first, 4][end, 4]
 *   elements   [index, 4][key] -> [stamp, 8][element]
 * </pre>
 *
 * Indices are from first to before end and wrap around. Stamps never fall along the list, whatever the clock does, so what
 * expires is always at its front, and where a snapshot has left out elements they are missing there. A read renews all elements
 * by its time in the bounds.
 */
final class ExpiringListState<V> implements ListState<V> {
    private static final int NEWEST_OFFSET = 0;
    private static final int READ_OFFSET = NEWEST_OFFSET + Long.BYTES;
    private static final int FIRST_OFFSET = READ_OFFSET + Long.BYTES;
    private static final int END_OFFSET = FIRST_OFFSET + Integer.BYTES;
    private static final int BOUNDS_LENGTH = END_OFFSET + Integer.BYTES;
    private static final int SWEPT_ELEMENTS = 64;

    private final ValueTable bounds;
    private final ValueTable elements;
    private final CurrentKey key;
    private final Codec<V> codec;
    private final TimeToLive ttl;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer encodedBounds = new UnsafeBuffer(new byte[BOUNDS_LENGTH]);
    private final ExpandableArrayBuffer elementKey = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer sweptKey = new ExpandableArrayBuffer(64);
    private long newestNs;
    private long readNs;
    private int first;
    private int end;

    ExpiringListState(
            final ValueTable bounds,
            final ValueTable elements,
            final CurrentKey key,
            final Codec<V> codec,
            final TimeToLive ttl) {
        this.bounds = bounds;
        this.elements = elements;
        this.key = key;
        this.codec = codec;
        this.ttl = ttl;
    }

    /** The signature of the bounds. */
    static String boundsSignature() {
        return "(newest:long,read:long,first:int,end:int)";
    }

    @Override
    public void add(final V value) {
        final int length = TimeToLive.STAMP_LENGTH + codec.encode(value, encoded, TimeToLive.STAMP_LENGTH);
        load();
        newestNs = Math.max(newestNs, ttl.nowNs());
        encoded.putLong(0, newestNs, LITTLE_ENDIAN);
        elements.put(key.group(), elementKey, 0, elementKey(end), encoded, 0, length);
        end++;
        store();
    }

    @Override
    public int size() {
        load();
        trim(Integer.MAX_VALUE);
        return end - first;
    }

    @Override
    public V get(final int index) {
        Objects.checkIndex(index, size());
        if (ttl.isRenewedByReads() && readNs < ttl.nowNs()) {
            readNs = ttl.nowNs();
            store();
        }
        final boolean found = elements.get(key.group(), elementKey, 0, elementKey(first + index), view);
        assert found : "element " + index + " of " + (end - first) + " is missing";
        final int length = view.capacity();
        copy.putBytes(0, view, 0, length);
        return codec.decode(copy, TimeToLive.STAMP_LENGTH, length - TimeToLive.STAMP_LENGTH);
    }

    @Override
    public void clear() {
        load();
        for (; first != end; first++) {
            elements.remove(key.group(), elementKey, 0, elementKey(first));
        }
        store();
    }

    /** Removes what has expired of a list, or some of it if it is much. Changes the current key. */
    void sweep(final int keyGroup, final DirectBuffer listKey, final DirectBuffer ignoredBounds) {
        sweptKey.putBytes(0, listKey, 0, listKey.capacity());
        key.set(keyGroup, sweptKey, listKey.capacity());
        load();
        trim(SWEPT_ELEMENTS);
    }

    private void load() {
        if (bounds.get(key.group(), key.buffer(), 0, key.length(), view)) {
            newestNs = view.getLong(NEWEST_OFFSET, LITTLE_ENDIAN);
            readNs = view.getLong(READ_OFFSET, LITTLE_ENDIAN);
            first = view.getInt(FIRST_OFFSET, LITTLE_ENDIAN);
            end = view.getInt(END_OFFSET, LITTLE_ENDIAN);
        } else {
            newestNs = Long.MIN_VALUE;
            readNs = Long.MIN_VALUE;
            first = 0;
            end = 0;
        }
    }

    private void store() {
        if (first == end) {
            bounds.remove(key.group(), key.buffer(), 0, key.length());
            return;
        }
        encodedBounds.putLong(NEWEST_OFFSET, newestNs, LITTLE_ENDIAN);
        encodedBounds.putLong(READ_OFFSET, readNs, LITTLE_ENDIAN);
        encodedBounds.putInt(FIRST_OFFSET, first, LITTLE_ENDIAN);
        encodedBounds.putInt(END_OFFSET, end, LITTLE_ENDIAN);
        bounds.put(key.group(), key.buffer(), 0, key.length(), encodedBounds, 0, BOUNDS_LENGTH);
    }

    private void trim(final int limit) {
        final int before = first;
        while (first != end && first - before < limit && isFirstGone()) {
            elements.remove(key.group(), elementKey, 0, elementKey(first));
            first++;
        }
        if (first != before) {
            store();
        }
    }

    private boolean isFirstGone() {
        return !elements.get(key.group(), elementKey, 0, elementKey(first), view)
                || ttl.isOver(Math.max(readNs, ttl.stampOf(view)));
    }

    private int elementKey(final int index) {
        elementKey.putInt(0, index, LITTLE_ENDIAN);
        elementKey.putBytes(Integer.BYTES, key.buffer(), 0, key.length());
        return Integer.BYTES + key.length();
    }
}
