package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Strings as UTF-8 that take all bytes. */
public final class StringCodec implements Codec<String> {
    private final Utf8 utf8 = new Utf8();

    @Override
    public String signature() {
        return "string";
    }

    @Override
    public int encode(final String value, final MutableDirectBuffer buffer, final int offset) {
        return utf8.write(value, buffer, offset);
    }

    @Override
    public String decode(final DirectBuffer buffer, final int offset, final int length) {
        return utf8.read(buffer, offset, length);
    }

    @Override
    public Codec<String> forTask() {
        return new StringCodec();
    }

    @Override
    public String toString() {
        return signature();
    }
}
