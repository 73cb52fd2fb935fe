package io.weir.storage.frame;

import io.weir.storage.state.StateException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Slabs of direct memory, which {@code -XX:MaxDirectMemorySize} bounds. */
public final class OffHeapSlabs implements SlabSource {
    /** The JDK zeroes a slab at once, on the task's thread: of 2 MiB it would take a millisecond. */
    private static final int MAX_LENGTH = 1 << 18;

    private final List<ByteBuffer> slabs = new ArrayList<>();

    /** No memory yet. */
    public OffHeapSlabs() {}

    @Override
    public int maxLength() {
        return MAX_LENGTH;
    }

    @Override
    public UnsafeBuffer allocate(final int length) {
        final ByteBuffer memory;
        try {
            memory = ByteBuffer.allocateDirect(length + FrameSlabs.FRAME_LENGTH);
        } catch (final OutOfMemoryError e) {
            throw new StateException(
                    "no off-heap memory for " + length
                            + " bytes of state pages: raise -XX:MaxDirectMemorySize, or let the"
                            + " state live in a scratch file",
                    e);
        }
        slabs.add(memory);
        return new UnsafeBuffer(memory.alignedSlice(FrameSlabs.FRAME_LENGTH), 0, length);
    }

    @Override
    public void close() {
        slabs.forEach(BufferUtil::free);
        slabs.clear();
    }
}
