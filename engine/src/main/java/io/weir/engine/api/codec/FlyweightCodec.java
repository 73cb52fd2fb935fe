package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Flyweight;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The codec of a flyweight: {@link #decode} moves one view and hands it out. One task per instance.
 *
 * @param <F> type of the flyweight.
 */
public final class FlyweightCodec<F extends Flyweight> implements Codec<F> {
    private final String signature;
    private final int length;
    private final Supplier<F> factory;
    private final F view;

    /**
     * A codec with a view of its own.
     *
     * @param signature of the layout.
     * @param length of a value in bytes.
     * @param factory makes a view.
     */
    public FlyweightCodec(final String signature, final int length, final Supplier<F> factory) {
        this.signature = signature;
        this.length = length;
        this.factory = factory;
        this.view = factory.get();
    }

    @Override
    public String signature() {
        return signature;
    }

    @Override
    public int encode(final F value, final MutableDirectBuffer buffer, final int offset) {
        final int written = value.copyTo(buffer, offset);
        if (written != length) {
            throw new IllegalArgumentException(signature + " takes " + length + " bytes, but the view has " + written);
        }
        return written;
    }

    @Override
    public F decode(final DirectBuffer buffer, final int offset, final int bytes) {
        if (bytes != length) {
            throw new IllegalArgumentException(signature + " takes " + length + " bytes, but there are " + bytes);
        }
        view.wrap(buffer, offset, length);
        return view;
    }

    @Override
    public Codec<F> forTask() {
        return new FlyweightCodec<>(signature, length, factory);
    }

    @Override
    public String toString() {
        return signature;
    }
}
