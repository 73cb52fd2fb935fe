package io.weir.engine.api.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Strings as UTF-8, strict in both directions. Holds scratch space: one task per instance. */
final class Utf8 {
    private static final int MAX_KEPT = 4096;

    private byte[] scratch = new byte[64];

    /** Writes the bytes of a string without a length and returns how many there are. Allocates nothing of its own. */
    int write(final String value, final MutableDirectBuffer buffer, final int offset) {
        int position = offset;
        for (int i = 0, length = value.length(); i < length; i++) {
            final char c = value.charAt(i);
            if (c < 0x80) {
                buffer.putByte(position++, (byte) c);
            } else if (c < 0x800) {
                buffer.putByte(position++, (byte) (0xC0 | (c >> 6)));
                buffer.putByte(position++, (byte) (0x80 | (c & 0x3F)));
            } else if (!Character.isSurrogate(c)) {
                buffer.putByte(position++, (byte) (0xE0 | (c >> 12)));
                buffer.putByte(position++, (byte) (0x80 | ((c >> 6) & 0x3F)));
                buffer.putByte(position++, (byte) (0x80 | (c & 0x3F)));
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < length
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                final int codePoint = Character.toCodePoint(c, value.charAt(++i));
                buffer.putByte(position++, (byte) (0xF0 | (codePoint >> 18)));
                buffer.putByte(position++, (byte) (0x80 | ((codePoint >> 12) & 0x3F)));
                buffer.putByte(position++, (byte) (0x80 | ((codePoint >> 6) & 0x3F)));
                buffer.putByte(position++, (byte) (0x80 | (codePoint & 0x3F)));
            } else {
                throw new IllegalArgumentException(
                        "a string with an unpaired surrogate at index " + i + " has no UTF-8 form");
            }
        }
        return position - offset;
    }

    /** Reads a string that takes exactly the given bytes. */
    String read(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = bytes(length);
        buffer.getBytes(offset, bytes, 0, length);
        for (int i = 0; i < length; i++) {
            if (bytes[i] < 0) {
                return readWide(bytes, length);
            }
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static String readWide(final byte[] bytes, final int length) {
        final String value = new String(bytes, 0, length, StandardCharsets.UTF_8);
        if (value.indexOf('\uFFFD') >= 0
                && !Arrays.equals(bytes, 0, length, value.getBytes(StandardCharsets.UTF_8), 0, utf8Length(value))) {
            throw new IllegalArgumentException("a string of " + length + " bytes is not UTF-8");
        }
        return value;
    }

    private static int utf8Length(final String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }

    private byte[] bytes(final int length) {
        if (length <= scratch.length) {
            return scratch;
        }
        final byte[] bytes = new byte[length];
        if (length <= MAX_KEPT) {
            scratch = bytes;
        }
        return bytes;
    }
}
