package io.weir.storage.frame;

import java.util.Arrays;

/**
 * A stack of frame addresses in chunks, so that growing copies nothing and a whole list moves to another in one step. One
 * thread at a time.
 */
public final class AddressList {
    private static final int CHUNK = 1024;
    private static final int FIRST_CHUNK = 16;

    private Chunk top;
    private Chunk bottom;
    private long size;

    /**
     * The number of addresses.
     *
     * @return at least 0.
     */
    public long size() {
        return size;
    }

    /**
     * Whether there are none.
     *
     * @return true if so.
     */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * Adds an address behind the others.
     *
     * @param address any number.
     */
    public void add(final long address) {
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

    /**
     * Takes the last address; the list is not empty.
     *
     * @return the address.
     */
    public long removeLast() {
        while (top.size == 0) {
            top = top.below;
        }
        size--;
        return top.addresses[--top.size];
    }

    /**
     * Moves all addresses of another list to this one, in one step.
     *
     * @param other is empty then.
     */
    public void takeAll(final AddressList other) {
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

    /**
     * Copies all addresses, oldest chunk last, to an array.
     *
     * @param target with room for all of them.
     * @param from index of the first.
     * @return the index behind the last.
     */
    public int copyTo(final long[] target, final int from) {
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
