package io.weir.storage.page;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Frames of one page each, cut from slabs that grow with the store, and reused. Task thread.
 */
final class FrameSlabs implements AutoCloseable {
    private static final int FIRST_SLAB_FRAMES = 16;

    private final SlabSource source;
    private final AddressList free = new AddressList();
    private UnsafeBuffer slab = new UnsafeBuffer(0, 0);
    private int nextFrame;
    private int slabFrames = FIRST_SLAB_FRAMES;
    private long frames;

    FrameSlabs(final SlabSource source) {
        this.source = source;
    }

    /** Takes a frame; what is in it is left from an earlier use. */
    long allocate() {
        if (!free.isEmpty()) {
            return free.removeLast();
        }
        if (nextFrame == slab.capacity()) {
            slab = source.allocate(slabFrames * Page.LENGTH);
            slabFrames = Math.min(source.maxLength() / Page.LENGTH, 2 * slabFrames);
            nextFrame = 0;
        }
        final long address = slab.addressOffset() + nextFrame;
        nextFrame += Page.LENGTH;
        frames++;
        return address;
    }

    void free(final long address) {
        free.add(address);
    }

    /** Takes back all frames of a list, however many, in one step. */
    void freeAll(final AddressList addresses) {
        free.takeAll(addresses);
    }

    /** Frames that are in use now. */
    long used() {
        return frames - free.size();
    }

    /** Frames that were ever cut: the memory the store holds. */
    long total() {
        return frames;
    }

    @Override
    public void close() {
        source.close();
    }
}
