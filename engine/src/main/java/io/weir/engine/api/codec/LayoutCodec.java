package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The codec of a layout: the value takes all bytes, none are left over.
 *
 * @param <T> type of the values.
 */
public final class LayoutCodec<T> implements Codec<T> {
    private final Layout<T> layout;

    LayoutCodec(final Layout<T> layout) {
        this.layout = layout;
    }

    /**
     * The codec of a class that has a layout: boxes of primitives, {@code BigDecimal, Instant, Duration}, enums and records.
     * Strings and byte arrays have one here too, with a length in front.
     *
     * @param type of the values.
     * @param <T> type of the values.
     * @return null if it has none.
     */
    @SuppressWarnings("unchecked") // The layout was looked up by the type.
    public static <T> Codec<T> find(final Class<T> type) {
        final Layout<T> layout = (Layout<T>) LayoutLookup.find(type, java.util.List.of());
        return layout == null ? null : new LayoutCodec<>(layout);
    }

    @Override
    public String signature() {
        return layout.type();
    }

    @Override
    public int encode(final T value, final MutableDirectBuffer buffer, final int offset) {
        return layout.write(value, buffer, offset);
    }

    @Override
    public T decode(final DirectBuffer buffer, final int offset, final int length) {
        final int limit = offset + length;
        final int end = layout.end(buffer, offset, limit);
        if (end != limit) {
            throw new IllegalArgumentException(
                    layout.type() + " ends after " + (end - offset) + " of " + length + " bytes");
        }
        return layout.read(buffer, offset, limit);
    }

    @Override
    public Codec<T> forTask() {
        final Layout<T> own = layout.forTask();
        return own == layout ? this : new LayoutCodec<>(own);
    }

    @Override
    public String toString() {
        return signature();
    }
}
