package io.weir.engine.operator;

import io.weir.engine.time.KeyedTimers;
import io.weir.storage.state.KeyGroups;
import org.agrona.DirectBuffer;

/** The key that states and timers belong to now. Task thread only. */
final class CurrentKey {
    private final int maxParallelism;
    private DirectBuffer buffer;
    private int length;
    private int group;

    CurrentKey(final int maxParallelism) {
        this.maxParallelism = maxParallelism;
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

    /** Begins with the key. */
    DirectBuffer buffer() {
        return buffer;
    }

    int length() {
        return length;
    }

    int group() {
        return group;
    }
}
