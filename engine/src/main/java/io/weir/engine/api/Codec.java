package io.weir.engine.api;

import io.weir.engine.api.codec.LayoutCodec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Turns values into bytes and back, on edges between tasks, in state and in logs.
 *
 * <p>An instance is used by one task only, from one thread: see {@link #forTask()}. Records get theirs from {@link #ofRecord},
 * plain types from {@link Codecs}; a hot path that must not allocate extends {@link Flyweight} and takes its codec from {@link
 * Codecs#flyweight}.
 *
 * @param <T> type of the values.
 */
public interface Codec<T> {
    /**
     * Describes the layout. Kept with state in checkpoints and compared on restore, so it must change whenever the layout
     * does, and only then.
     *
     * @return for example {@code long}, {@code string} or {@code Trade(symbol:string,price:long)}.
     */
    String signature();

    /**
     * Writes a value.
     *
     * @param value to write, not null.
     * @param buffer to write to; it grows as needed.
     * @param offset at which to start.
     * @return the number of bytes written.
     */
    int encode(T value, MutableDirectBuffer buffer, int offset);

    /**
     * Reads a value. It may be a flyweight: a view over the buffer, valid until the buffer changes, and the same object each
     * time.
     *
     * @param buffer to read from.
     * @param offset of the value.
     * @param length of the value in bytes.
     * @return the value.
     * @throws IllegalArgumentException if the bytes are no such value; the message says what is wrong with them.
     */
    T decode(DirectBuffer buffer, int offset, int length);

    /**
     * An instance for one task's own use. A codec with mutable parts (a flyweight, scratch space) gives a new one.
     *
     * @return this, or a fresh instance with the same signature.
     */
    default Codec<T> forTask() {
        return this;
    }

    /**
     * Derives a codec from the components of a record class: {@code int, long, double, boolean, short, byte, char, float}, their
     * boxes, {@code String, BigDecimal, Instant, Duration, byte[]}, enums, and records of these; all but the primitives may be
     * null.
     *
     * @param type of the records.
     * @param <R> type of the records.
     * @return the codec.
     * @throws IllegalArgumentException if a component has another type, or the record class cannot be accessed; the message
     *     names it.
     */
    static <R extends Record> Codec<R> ofRecord(final Class<R> type) {
        return LayoutCodec.find(type);
    }
}
