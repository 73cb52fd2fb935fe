package io.weir.engine.api;

import io.weir.engine.api.codec.BytesCodec;
import io.weir.engine.api.codec.FlyweightCodec;
import io.weir.engine.api.codec.LayoutCodec;
import io.weir.engine.api.codec.StringCodec;
import java.util.function.Supplier;

/** Codecs of plain types. Little-endian; equal values give equal bytes, so all of them can be codecs of keys. */
public final class Codecs {
    private Codecs() {}

    /**
     * Numbers in 8 bytes. {@link Stream#keyByLong} and {@link LongState} use the same layout without boxing.
     *
     * @return a codec.
     */
    public static Codec<Long> longs() {
        return LayoutCodec.find(Long.class);
    }

    /**
     * Numbers in 4 bytes.
     *
     * @return a codec.
     */
    public static Codec<Integer> ints() {
        return LayoutCodec.find(Integer.class);
    }

    /**
     * Numbers in 8 bytes.
     *
     * @return a codec.
     */
    public static Codec<Double> doubles() {
        return LayoutCodec.find(Double.class);
    }

    /**
     * Strings as UTF-8 without a length.
     *
     * @return a codec.
     */
    public static Codec<String> strings() {
        return new StringCodec();
    }

    /**
     * Byte arrays as they are.
     *
     * @return a codec.
     */
    public static Codec<byte[]> bytes() {
        return new BytesCodec();
    }

    /**
     * Cells of one number, changed in place.
     *
     * @return a codec that gives the same cell each time.
     */
    public static Codec<LongCell> longCell() {
        return flyweight("long", LongCell.LENGTH, LongCell::new);
    }

    /**
     * The codec of a flyweight: see {@link Flyweight}.
     *
     * @param signature of the layout, such as {@code Tick(id:long,priceTicks:long)}.
     * @param length of a value in bytes, positive.
     * @param factory makes a view; each task gets its own.
     * @param <F> type of the flyweight.
     * @return the codec.
     */
    public static <F extends Flyweight> Codec<F> flyweight(
            final String signature, final int length, final Supplier<F> factory) {
        if (length <= 0) {
            throw new IllegalArgumentException("length=" + length + " of flyweight " + signature + " must be > 0");
        }
        return new FlyweightCodec<>(signature, length, factory);
    }

    /**
     * The codec of a class, if there is one: boxes of primitives, {@code String, byte[], BigDecimal, Instant, Duration}, enums,
     * records of these, and {@link LongCell}.
     *
     * @param type of the values.
     * @param <T> type of the values.
     * @return null if there is none.
     * @throws IllegalArgumentException if it is a record that has no layout; the message says why.
     */
    @SuppressWarnings("unchecked") // Each is the codec of the type it is chosen for.
    public static <T> Codec<T> find(final Class<T> type) {
        if (type == String.class) {
            return (Codec<T>) strings();
        }
        if (type == byte[].class) {
            return (Codec<T>) bytes();
        }
        if (type == LongCell.class) {
            return (Codec<T>) longCell();
        }
        return LayoutCodec.find(type);
    }
}
