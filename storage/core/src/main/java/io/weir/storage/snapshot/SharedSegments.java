package io.weir.storage.snapshot;

import io.weir.storage.file.FileStore;
import java.nio.file.Path;

/**
 * Where one task's state backend keeps the segments that several checkpoints may rest on. The files' format is the backend's
 * own. I/O threads, several at once; may block.
 */
public interface SharedSegments {
    /**
     * The disk that the segments are on.
     *
     * @return the disk.
     */
    FileStore files();

    /**
     * Draws the place of a new file. It has to be finished, durable and named by the task's part before that part of the
     * checkpoint is acknowledged, or by the part of a later one: once a checkpoint has completed, files that were created for
     * it or for an earlier one and that no retained checkpoint names are deleted.
     *
     * @param checkpointId that is being written.
     * @param suffix tells several files of the task in one checkpoint apart: letters, digits, {@code - _ .}.
     * @return a place that nothing else had or will have; its directory is there.
     * @throws SnapshotException if the directory can't be made, or the checkpoint has been deleted meanwhile or comes too late.
     */
    Location create(long checkpointId, String suffix);

    /**
     * Draws the place of a new file in the folder of a savepoint that is being written: it belongs to that savepoint alone, so no
     * later checkpoint may rest on it. It has to be finished and durable before the task's part is acknowledged.
     *
     * @param checkpointId of a savepoint that has begun.
     * @param suffix tells several files of the task in one savepoint apart: letters, digits, {@code - _ .}.
     * @return a place that nothing else had or will have; its directory is there.
     * @throws SnapshotException if the savepoint has been deleted meanwhile.
     * @throws IllegalStateException if the id is of no savepoint.
     */
    Location createOwn(long checkpointId, String suffix);

    /**
     * Finds a segment.
     *
     * @param handle from a manifest or of a file created here.
     * @return the path of its file.
     */
    Path path(SegmentHandle handle);

    /**
     * The place of a segment.
     *
     * @param files the disk that it is on; a savepoint may be on another one than the job.
     * @param path of the file.
     * @param name for its handle: the path from the job's folder, or the savepoint's, on.
     */
    record Location(FileStore files, Path path, String name) {}
}
