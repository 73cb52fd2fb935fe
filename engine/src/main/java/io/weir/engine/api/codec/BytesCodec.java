package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Byte arrays as they are. */
public final class BytesCodec implements Codec<byte[]> {
    @Override
    public String signature() {
        return "bytes";
    }

    @Override
    public int encode(final byte[] value, final MutableDirectBuffer buffer, final int offset) {
        buffer.putBytes(offset, value);
        return value.length;
    }

    @Override
    public byte[] decode(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] value = new byte[length];
        buffer.getBytes(offset, value);
        return value;
    }

    @Override
    public String toString() {
        return signature();
    }
}
