package io.weir.engine.api.codec;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * How values of a type lie in bytes, so that their end can be found from their start. Little-endian. Equal values give equal
 * bytes, so they may be keys. An instance belongs to one task: it may hold scratch space.
 *
 * @param <T> type of the values.
 */
abstract class Layout<T> {
    /** The type's name in signatures. */
    abstract String type();

    /** Writes a value, not null, and returns its length in bytes. */
    abstract int write(T value, MutableDirectBuffer buffer, int offset);

    /**
     * Finds the end of a value.
     *
     * @return the offset behind it.
     * @throws IllegalArgumentException if it does not end at or before the limit.
     */
    abstract int end(DirectBuffer buffer, int offset, int limit);

    /**
     * Reads the value in [offset, end).
     *
     * @throws IllegalArgumentException if the bytes are no such value.
     */
    abstract T read(DirectBuffer buffer, int offset, int end);

    /** An instance for another task. */
    Layout<T> forTask() {
        return this;
    }

    /** Checks that so many bytes are left and returns the offset behind them. */
    static int need(final String type, final int bytes, final int offset, final int limit) {
        if (bytes < 0 || bytes > limit - offset) {
            throw new IllegalArgumentException(
                    "a " + type + " needs " + bytes + " bytes, but " + Math.max(0, limit - offset) + " are left");
        }
        return offset + bytes;
    }
}
