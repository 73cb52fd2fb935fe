package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.List;

/**
 * A task's state as it was at the freeze. Written by an I/O thread while the task goes on; the frozen states of one store one
 * after another, in the order of their freezes.
 */
public interface FrozenState extends AutoCloseable {
    /**
     * Writes what a checkpoint needs, in the backend's own form, and makes the shared segments durable. I/O thread, once; may
     * block. What is written stays part of the store's later checkpoints even if this one comes to nothing.
     *
     * @param checkpointId that it is written for; rises from call to call.
     * @param own the task's segment in this checkpoint; the caller finishes it.
     * @return the shared segments the checkpoint rests on, oldest first; empty if all of it is in {@code own}.
     * @throws io.weir.storage.snapshot.SnapshotException if the disk fails.
     */
    List<SegmentHandle> writeTo(long checkpointId, SegmentWriter own);

    /**
     * Writes the canonical form, which any backend restores at any parallelism. I/O thread, once, instead of {@link #writeTo};
     * may block.
     *
     * @param checkpointId that it is written for; rises from call to call.
     * @param own the task's segment, which holds all of it; the caller finishes it.
     * @throws io.weir.storage.snapshot.SnapshotException if the disk fails.
     */
    void writeCanonical(long checkpointId, SegmentWriter own);

    /**
     * Writes all of the state for a savepoint, in the backend's own form, which that backend alone restores. I/O thread, once,
     * instead of {@link #writeTo}; may block. The store's later checkpoints rest on nothing that is in the savepoint.
     *
     * @param checkpointId of a savepoint, that it is written for; rises from call to call.
     * @param own the task's segment in the savepoint; the caller finishes it.
     * @return the savepoint's own files beside that segment, made by {@link
     *     io.weir.storage.snapshot.SharedSegments#createOwn}; empty if all of it is in {@code own}.
     * @throws io.weir.storage.snapshot.SnapshotException if the disk fails.
     */
    List<SegmentHandle> writeNative(long checkpointId, SegmentWriter own);

    /**
     * Lets go of what was held still. What was not written, or only in part, is kept for the next freeze. Idempotent, any
     * thread, but not during a write.
     */
    @Override
    void close();
}
