package io.weir.engine.cli.job;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import org.agrona.MutableDirectBuffer;

/**
 * Writes fields one behind the other: longs, texts {@code [length:int | UTF-8]} and decimals {@code [scale:int | length:int |
 * unscaled value, two's complement, big-endian]}; numbers are little-endian.
 */
final class FieldWriter {
    private MutableDirectBuffer buffer;
    private int start;
    private int position;

    FieldWriter wrap(final MutableDirectBuffer target, final int offset) {
        buffer = target;
        start = offset;
        position = offset;
        return this;
    }

    FieldWriter putLong(final long value) {
        buffer.putLong(position, value, LITTLE_ENDIAN);
        position += Long.BYTES;
        return this;
    }

    FieldWriter putText(final String value) {
        return putBytes(value.getBytes(UTF_8));
    }

    FieldWriter putDecimal(final BigDecimal value) {
        buffer.putInt(position, value.scale(), LITTLE_ENDIAN);
        position += Integer.BYTES;
        return putBytes(value.unscaledValue().toByteArray());
    }

    FieldWriter putPlace(final Place place) {
        return putLong(place.eventNs())
                .putText(place.id())
                .putLong(place.arrival())
                .putLong(place.sub());
    }

    /** The bytes written since {@link #wrap}. */
    int length() {
        return position - start;
    }

    private FieldWriter putBytes(final byte[] bytes) {
        buffer.putInt(position, bytes.length, LITTLE_ENDIAN);
        buffer.putBytes(position + Integer.BYTES, bytes);
        position += Integer.BYTES + bytes.length;
        return this;
    }
}
