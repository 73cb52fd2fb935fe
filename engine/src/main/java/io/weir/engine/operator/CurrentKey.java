package io.weir.engine.operator;

import io.weir.engine.time.KeyedTimers;
import io.weir.storage.state.KeyGroups;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The key that states and timers belong to now. Task thread only. */
final class CurrentKey {
    private static final int NONE = -1;
    private static final DirectBuffer EMPTY = new UnsafeBuffer(0, 0);

    private final int maxParallelism;
    private DirectBuffer buffer = EMPTY;
    private int length;
    private int group = NONE;

    CurrentKey(final int maxParallelism) {
        this.maxParallelism = maxParallelism;
    }

    CurrentKey(final CurrentKey other) {
        this(other.maxParallelism);
        set(other);
    }

    /** The key of a record. */
    <T> void extract(final KeyExtractor<T> extractor, final T value) throws Exception {
        final int hash = extractor.extract(value);
        buffer = extractor.buffer();
        length = extractor.length();
        group = KeyGroups.ofHash(hash, maxParallelism);
    }

    /** The key of a timer that was taken. */
    void take(final KeyedTimers timers) {
        buffer = timers.key();
        length = timers.keyLength();
        group = timers.keyGroup();
    }

    /** A key whose state is to be cleaned up. */
    void set(final int newGroup, final DirectBuffer newBuffer, final int newLength) {
        buffer = newBuffer;
        length = newLength;
        group = newGroup;
    }

    /** The key of another, or none as there. */
    void set(final CurrentKey other) {
        set(other.group, other.buffer, other.length);
    }

    /** No key: what asks for the group of one fails until there is another. */
    void clear() {
        set(NONE, EMPTY, 0);
    }

    /** Begins with the key. */
    DirectBuffer buffer() {
        return buffer;
    }

    int length() {
        return length;
    }

    /** Asked for by all access to states and timers. */
    int group() {
        if (group == NONE) {
            throw noKey();
        }
        return group;
    }

    private static IllegalStateException noKey() {
        return new IllegalStateException(
                "there is no current key: states and timers by key are there while a record of a"
                        + " keyed stream or a timer is processed, and in applyToKeyedState");
    }
}
