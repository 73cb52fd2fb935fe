package io.weir.storage.checkpoint;

import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.List;

/** One job's checkpoints. Any I/O thread, several at once for different segments; may block. */
public interface CheckpointStore extends AutoCloseable {
    /**
     * Draws the next execution attempt; kept durably, so that no later process draws it again.
     *
     * @return 1, 2, 3 ...
     */
    long nextAttempt();

    /**
     * The first checkpoint id that was never used in this store, not even by a checkpoint that was given up.
     *
     * @return at least 1.
     */
    long nextCheckpointId();

    /**
     * Creates the segment of one task in a checkpoint.
     *
     * @param checkpointId that it belongs to.
     * @param name of the task, letters, digits, {@code - _ .}; unique in the checkpoint.
     * @return its writer.
     * @throws io.weir.storage.snapshot.SnapshotException if the file can't be created.
     */
    SegmentWriter createSegment(long checkpointId, String name);

    /**
     * Publishes a checkpoint, atomically and durably: from now on {@link #completed()} lists it, also after a crash.
     *
     * @param manifest that names finished segments only.
     * @throws io.weir.storage.snapshot.SnapshotException if that failed for sure, or with an unknown outcome; nothing is
     *     deleted in either case.
     */
    void publish(Manifest manifest);

    /**
     * The completed checkpoints.
     *
     * @return ids, rising.
     */
    List<Long> completed();

    /**
     * Loads a completed checkpoint and checks its manifest.
     *
     * @param checkpointId of a completed checkpoint.
     * @return its manifest.
     * @throws io.weir.storage.snapshot.CorruptionException if it is damaged; names file, offset, expected and found.
     */
    Manifest load(long checkpointId);

    /**
     * Opens a segment and checks length and checksum.
     *
     * @param handle from a manifest.
     * @return its reader.
     * @throws io.weir.storage.snapshot.CorruptionException if it is missing or damaged; names the file.
     */
    SegmentReader openSegment(SegmentHandle handle);

    /**
     * Deletes a checkpoint, completed or not: the manifest first. Idempotent.
     *
     * @param checkpointId to delete.
     */
    void delete(long checkpointId);

    /** Gives up the claim. Idempotent. */
    @Override
    void close();
}
