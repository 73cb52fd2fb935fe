package io.weir.storage.frame;

import org.agrona.concurrent.UnsafeBuffer;

/** Where the memory of frames comes from. One thread at a time. */
public interface SlabSource extends AutoCloseable {
    /**
     * The longest piece that it is wise to take at once.
     *
     * @return in bytes: a multiple of the frame's.
     */
    int maxLength();

    /**
     * Takes a piece of memory that stays where it is until {@link #close()}.
     *
     * @param length in bytes, a multiple of the frame's.
     * @return zeroed or not; aligned to a frame.
     * @throws io.weir.storage.state.StateException if there is none left.
     */
    UnsafeBuffer allocate(int length);

    /** Frees all of it. Idempotent. */
    @Override
    void close();
}
