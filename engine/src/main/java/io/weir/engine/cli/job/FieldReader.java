package io.weir.engine.cli.job;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.agrona.DirectBuffer;

/** Reads what {@link FieldWriter} wrote, and refuses what it can't have written. */
final class FieldReader {
    private DirectBuffer buffer;
    private int start;
    private int position;
    private int end;

    FieldReader wrap(final DirectBuffer source, final int offset, final int length) {
        buffer = source;
        start = offset;
        position = offset;
        end = offset + length;
        return this;
    }

    long getLong() {
        final int at = take(Long.BYTES);
        return buffer.getLong(at, LITTLE_ENDIAN);
    }

    String getText() {
        return new String(getBytes(), UTF_8);
    }

    BigDecimal getDecimal() {
        final int scale = buffer.getInt(take(Integer.BYTES), LITTLE_ENDIAN);
        final byte[] unscaled = getBytes();
        if (unscaled.length == 0) {
            throw new IllegalArgumentException("an empty decimal at byte " + (position - start));
        }
        return new BigDecimal(new BigInteger(unscaled), scale);
    }

    Place getPlace() {
        return new Place(getLong(), getText(), getLong(), getLong());
    }

    /** Ends reading: nothing may be left over. */
    void finish() {
        if (position != end) {
            throw new IllegalArgumentException((end - position) + " bytes more than the fields take");
        }
    }

    private byte[] getBytes() {
        final int length = buffer.getInt(take(Integer.BYTES), LITTLE_ENDIAN);
        final int at = take(length);
        final byte[] bytes = new byte[length];
        buffer.getBytes(at, bytes);
        return bytes;
    }

    private int take(final int length) {
        if (length < 0 || length > end - position) {
            throw new IllegalArgumentException(
                    "a field of " + length + " bytes at byte " + (position - start) + " of " + (end - start));
        }
        final int at = position;
        position += length;
        return at;
    }
}
