package io.weir.storage.frame;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Frames of one page each, cut from slabs that grow with the store, and reused. Task thread.
 */
public final class FrameSlabs implements AutoCloseable {
    /** Bytes in a frame. */
    public static final int FRAME_LENGTH = 4096;

    private static final int FIRST_SLAB_FRAMES = 16;

    private final SlabSource source;
    private final AddressList free = new AddressList();
    private UnsafeBuffer slab = new UnsafeBuffer(0, 0);
    private int nextFrame;
    private int slabFrames = FIRST_SLAB_FRAMES;
    private long frames;

    /**
     * Frames of a source's memory.
     *
     * @param source closed with this.
     */
    public FrameSlabs(final SlabSource source) {
        this.source = source;
    }

    /**
     * Takes a frame; what is in it is left from an earlier use.
     *
     * @return its address.
     * @throws io.weir.storage.state.StateException if there is no memory left.
     */
    public long allocate() {
        if (!free.isEmpty()) {
            return free.removeLast();
        }
        if (nextFrame == slab.capacity()) {
            slab = source.allocate(slabFrames * FRAME_LENGTH);
            slabFrames = Math.min(source.maxLength() / FRAME_LENGTH, 2 * slabFrames);
            nextFrame = 0;
        }
        final long address = slab.addressOffset() + nextFrame;
        nextFrame += FRAME_LENGTH;
        frames++;
        return address;
    }

    /**
     * Takes back a frame.
     *
     * @param address of it.
     */
    public void free(final long address) {
        free.add(address);
    }

    /**
     * Takes back all frames of a list, however many, in one step.
     *
     * @param addresses of the frames; the list is empty then.
     */
    public void freeAll(final AddressList addresses) {
        free.takeAll(addresses);
    }

    /**
     * Frames that are in use now.
     *
     * @return their number.
     */
    public long used() {
        return frames - free.size();
    }

    /**
     * Frames that were ever cut: the memory the store holds.
     *
     * @return their number.
     */
    public long total() {
        return frames;
    }

    @Override
    public void close() {
        source.close();
    }
}
