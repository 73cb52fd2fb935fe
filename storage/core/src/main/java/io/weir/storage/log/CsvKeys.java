package io.weir.storage.log;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Numbers distinct byte strings in order of first appearance; looking one up again allocates nothing. One thread. */
final class CsvKeys {
    private final List<UnsafeBuffer> keys = new ArrayList<>();
    private int[] slots = new int[16];

    /**
     * The number of a key, a new one if it was never seen.
     *
     * @param guess a number to try first, -1 for none.
     */
    int indexOf(final DirectBuffer buffer, final int offset, final int length, final int guess) {
        if (guess >= 0 && isEqual(keys.get(guess), buffer, offset, length)) {
            return guess;
        }
        int slot = hash(buffer, offset, length) & (slots.length - 1);
        while (slots[slot] != 0) {
            final int index = slots[slot] - 1;
            if (isEqual(keys.get(index), buffer, offset, length)) {
                return index;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        keys.add(new UnsafeBuffer(bytes));
        slots[slot] = keys.size();
        if (keys.size() * 2 > slots.length) {
            grow();
        }
        return keys.size() - 1;
    }

    private void grow() {
        slots = new int[slots.length * 4];
        for (int i = 0; i < keys.size(); i++) {
            final UnsafeBuffer key = keys.get(i);
            int slot = hash(key, 0, key.capacity()) & (slots.length - 1);
            while (slots[slot] != 0) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = i + 1;
        }
    }

    private static boolean isEqual(
            final UnsafeBuffer key, final DirectBuffer buffer, final int offset, final int length) {
        if (key.capacity() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (key.getByte(i) != buffer.getByte(offset + i)) {
                return false;
            }
        }
        return true;
    }

    private static int hash(final DirectBuffer buffer, final int offset, final int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + buffer.getByte(offset + i);
        }
        return hash ^ (hash >>> 16);
    }
}
