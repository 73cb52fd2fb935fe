package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentWriter;

/** A task's state as it was at the freeze. Written by an I/O thread while the task goes on. */
public interface FrozenState extends AutoCloseable {
    /**
     * Writes the state. I/O thread, once.
     *
     * @param writer of the task's segment.
     */
    void writeTo(SegmentWriter writer);

    /** Lets go of what was held still. Idempotent, any thread. */
    @Override
    void close();
}
