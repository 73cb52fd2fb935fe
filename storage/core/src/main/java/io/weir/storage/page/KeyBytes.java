package io.weir.storage.page;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Hash and equality of keys as bytes. The hash is part of the format of pages: it never changes. */
final class KeyBytes {
    private KeyBytes() {}

    /** 64 well-mixed bits, independent of those that choose the key group. */
    static long hash(final DirectBuffer buffer, final int offset, final int length) {
        long hash = 0xC2B2AE3D27D4EB4FL + length;
        int index = offset;
        final int end = offset + length;
        for (; index + Long.BYTES <= end; index += Long.BYTES) {
            hash = mix(hash ^ buffer.getLong(index, ByteOrder.LITTLE_ENDIAN));
        }
        if (index < end) {
            long tail = 0;
            for (int shift = 0; index < end; index++, shift += Byte.SIZE) {
                tail |= (buffer.getByte(index) & 0xFFL) << shift;
            }
            hash = mix(hash ^ tail);
        }
        return hash ^ (hash >>> 31);
    }

    private static long mix(final long value) {
        long z = value * 0x9FB21C651E98DF25L;
        z = (z ^ (z >>> 35)) * 0xD6E8FEB86659FD93L;
        return z ^ (z >>> 32);
    }

    static boolean equal(
            final DirectBuffer a, final int aOffset, final DirectBuffer b, final int bOffset, final int length) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (a.getLong(aOffset + i) != b.getLong(bOffset + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (a.getByte(aOffset + i) != b.getByte(bOffset + i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a page holds a key somewhere. */
    static boolean equal(
            final Page page, final int pageOffset, final DirectBuffer key, final int keyOffset, final int length) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (page.getLong(pageOffset + i) != key.getLong(keyOffset + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (page.getByte(pageOffset + i) != key.getByte(keyOffset + i)) {
                return false;
            }
        }
        return true;
    }

    /** Compares as unsigned bytes, a prefix before what it begins. */
    static int compare(
            final DirectBuffer a,
            final int aOffset,
            final int aLength,
            final DirectBuffer b,
            final int bOffset,
            final int bLength) {
        final int common = Math.min(aLength, bLength);
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            final int order = Long.compareUnsigned(
                    a.getLong(aOffset + i, ByteOrder.BIG_ENDIAN), b.getLong(bOffset + i, ByteOrder.BIG_ENDIAN));
            if (order != 0) {
                return order;
            }
        }
        for (; i < common; i++) {
            final int order = Byte.compareUnsigned(a.getByte(aOffset + i), b.getByte(bOffset + i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(aLength, bLength);
    }
}
