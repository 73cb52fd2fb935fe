package io.weir.engine.api.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Exact decimals: a price like 1234.56 takes 5 bytes.
 *
 * <pre>
 *   [head, 1][scale, 1 or 4][unscaled value, two's complement, little-endian: n bytes]      n in [1, 8]
 *   [head, 1][scale, 1 or 4][length, 4][unscaled value, two's complement, big-endian]       n = 0
 *   head = n | 0x80 if the scale takes 4 bytes
 * </pre>
 *
 * The shortest form is the only valid one.
 */
final class DecimalLayout extends Layout<BigDecimal> {
    private static final int WIDE_SCALE = 0x80;

    @Override
    String type() {
        return "decimal";
    }

    @Override
    int write(final BigDecimal value, final MutableDirectBuffer buffer, final int offset) {
        final BigInteger unscaled = value.unscaledValue();
        final int scale = value.scale();
        final boolean wideScale = scale != (byte) scale;
        final boolean compact = unscaled.bitLength() < Long.SIZE;
        final int bytes = compact ? unscaled.bitLength() / Byte.SIZE + 1 : 0;
        buffer.putByte(offset, (byte) (bytes | (wideScale ? WIDE_SCALE : 0)));
        int position = offset + 1;
        if (wideScale) {
            buffer.putInt(position, scale, LITTLE_ENDIAN);
            position += Integer.BYTES;
        } else {
            buffer.putByte(position++, (byte) scale);
        }
        if (compact) {
            final long number = unscaled.longValue();
            for (int i = 0; i < bytes; i++) {
                buffer.putByte(position++, (byte) (number >> (i * Byte.SIZE)));
            }
        } else {
            final byte[] number = unscaled.toByteArray();
            buffer.putInt(position, number.length, LITTLE_ENDIAN);
            buffer.putBytes(position + Integer.BYTES, number);
            position += Integer.BYTES + number.length;
        }
        return position - offset;
    }

    @Override
    int end(final DirectBuffer buffer, final int offset, final int limit) {
        final int position = need("decimal's head", 1, offset, limit);
        final int head = buffer.getByte(offset);
        final int bytes = head & ~WIDE_SCALE & 0xFF;
        if (bytes > Long.BYTES) {
            throw new IllegalArgumentException("head " + (head & 0xFF) + " is none of a decimal");
        }
        final int number = need("decimal's scale", scaleLength(head), position, limit);
        if (bytes > 0) {
            return need("decimal", bytes, number, limit);
        }
        final int start = need("decimal's length", Integer.BYTES, number, limit);
        return need("decimal", buffer.getInt(number, LITTLE_ENDIAN), start, limit);
    }

    @Override
    BigDecimal read(final DirectBuffer buffer, final int offset, final int end) {
        final int head = buffer.getByte(offset);
        final int position = offset + 1;
        final int scale = head < 0 ? buffer.getInt(position, LITTLE_ENDIAN) : buffer.getByte(position);
        if (head < 0 && scale == (byte) scale) {
            throw new IllegalArgumentException("a decimal's scale " + scale + " is not in its shortest form");
        }
        final int number = position + scaleLength(head);
        return (head & ~WIDE_SCALE) == 0 || head == (byte) WIDE_SCALE
                ? readBig(buffer, number + Integer.BYTES, end, scale)
                : readCompact(buffer, number, end, scale);
    }

    private static BigDecimal readCompact(final DirectBuffer buffer, final int offset, final int end, final int scale) {
        long number = buffer.getByte(end - 1);
        for (int i = end - 2; i >= offset; i--) {
            number = (number << Byte.SIZE) | (buffer.getByte(i) & 0xFF);
        }
        final int bits = Long.SIZE - Long.numberOfLeadingZeros(number < 0 ? ~number : number);
        if (bits / Byte.SIZE + 1 != end - offset) {
            throw new IllegalArgumentException("a decimal's value " + number + " is not in its shortest form");
        }
        return BigDecimal.valueOf(number, scale);
    }

    private static BigDecimal readBig(final DirectBuffer buffer, final int offset, final int end, final int scale) {
        final byte[] bytes = new byte[end - offset];
        buffer.getBytes(offset, bytes);
        if (bytes.length == 0) {
            throw new IllegalArgumentException("a decimal without digits");
        }
        final BigInteger number = new BigInteger(bytes);
        if (number.bitLength() < Long.SIZE || number.bitLength() / Byte.SIZE + 1 != bytes.length) {
            throw new IllegalArgumentException("a decimal of " + bytes.length + " bytes is not in its shortest form");
        }
        return new BigDecimal(number, scale);
    }

    private static int scaleLength(final int head) {
        return head < 0 ? Integer.BYTES : 1;
    }
}
