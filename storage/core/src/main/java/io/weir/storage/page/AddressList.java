package io.weir.storage.page;

import java.util.Arrays;

/**
 * A stack of frame addresses in chunks, so that growing copies nothing and a whole list moves to another in one step. One
 * thread at a time.
 */
final class AddressList {
    private static final int CHUNK = 1024;
    private static final int FIRST_CHUNK = 16;

    private Chunk top;
    private Chunk bottom;
    private long size;

    long size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(final long address) {
        if (top == null) {
            top = new Chunk(new long[FIRST_CHUNK], null);
            bottom = top;
        } else if (top.size == top.addresses.length) {
            grow();
        }
        top.addresses[top.size++] = address;
        size++;
    }

    private void grow() {
        if (top.addresses.length < CHUNK) {
            top.addresses = Arrays.copyOf(top.addresses, Math.min(CHUNK, 4 * top.addresses.length));
        } else {
            top = new Chunk(new long[CHUNK], top);
        }
    }

    /** Takes the last address; the list is not empty. */
    long removeLast() {
        while (top.size == 0) {
            top = top.below;
        }
        size--;
        return top.addresses[--top.size];
    }

    /** Moves all addresses of another list to this one. */
    void takeAll(final AddressList other) {
        if (other.size == 0) {
            return;
        }
        other.bottom.below = top;
        if (top == null) {
            bottom = other.bottom;
        }
        top = other.top;
        size += other.size;
        other.top = null;
        other.bottom = null;
        other.size = 0;
    }

    /** Copies all addresses, oldest chunk last, to an array. */
    int copyTo(final long[] target, final int from) {
        int at = from;
        for (Chunk chunk = top; chunk != null; chunk = chunk.below) {
            System.arraycopy(chunk.addresses, 0, target, at, chunk.size);
            at += chunk.size;
        }
        return at;
    }

    private static final class Chunk {
        private long[] addresses;
        private int size;
        private Chunk below;

        private Chunk(final long[] addresses, final Chunk below) {
            this.addresses = addresses;
            this.below = below;
        }
    }
}
