package io.weir.engine.simulation;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Four numbers, by hand: a job is deployed anew hundreds of times a second, and method handles would take most of that. */
final class RowCodec implements Codec<Row> {
    private static final int A_OFFSET = 8;
    private static final int B_OFFSET = 16;
    private static final int C_OFFSET = 24;
    private static final int LENGTH = 32;

    @Override
    public String signature() {
        return "simulation-row";
    }

    @Override
    public int encode(final Row row, final MutableDirectBuffer buffer, final int offset) {
        buffer.putLong(offset, row.kind(), LITTLE_ENDIAN);
        buffer.putLong(offset + A_OFFSET, row.a(), LITTLE_ENDIAN);
        buffer.putLong(offset + B_OFFSET, row.b(), LITTLE_ENDIAN);
        buffer.putLong(offset + C_OFFSET, row.c(), LITTLE_ENDIAN);
        return LENGTH;
    }

    @Override
    public Row decode(final DirectBuffer buffer, final int offset, final int length) {
        if (length != LENGTH) {
            throw new IllegalArgumentException("a row has " + LENGTH + " bytes, not " + length);
        }
        return new Row(
                (int) buffer.getLong(offset, LITTLE_ENDIAN),
                buffer.getLong(offset + A_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(offset + B_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(offset + C_OFFSET, LITTLE_ENDIAN));
    }
}
