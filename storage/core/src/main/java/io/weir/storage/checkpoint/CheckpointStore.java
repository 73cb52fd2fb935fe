package io.weir.storage.checkpoint;

import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import java.nio.file.Path;
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
     * Draws a run of checkpoint ids, durably, and returns its first: no earlier or later call, here or in another process,
     * gives an id of that run. The caller counts upward from it, one by one; the store sees which ids are in use by {@link
     * #createSegment}, {@link #publish} and {@link #delete}, and draws further ones in time, as long as fewer than 5000 ids
     * in a row meet none of the three. Ids that a dead process had drawn but not used are skipped.
     *
     * @return at least 1, larger than every id that was ever used in this store.
     * @throws CheckpointStorageException if the disk fails.
     */
    long nextCheckpointId();

    /**
     * Begins a savepoint: from now on {@link #createSegment}, {@link SharedSegments#createOwn}, {@link #publish} and {@link
     * #delete} of this id work in a folder of its own, and what {@link #publish} and the segments' handles name is relative to
     * it. Once it is published the store forgets it: it is the user's, in {@link #completed()} never, and never deleted. May
     * block.
     *
     * @param checkpointId that was used for nothing yet.
     * @param directory where the folder {@code savepoint-<job id>-<checkpointId>} is made, and which is made too if its parent
     *     is there; null for {@code savepoint-<checkpointId>} in the job's own folder.
     * @return the savepoint's folder.
     * @throws CheckpointStorageException if the folder can't be made, or is there; it names the folder and the reason.
     */
    Path beginSavepoint(long checkpointId, Path directory);

    /**
     * Creates the segment of one task in a checkpoint.
     *
     * @param checkpointId that it belongs to.
     * @param name of the task, letters, digits, {@code - _ .}; unique in the checkpoint.
     * @return its writer.
     * @throws io.weir.storage.snapshot.SnapshotException if the file can't be created, or the checkpoint has been deleted
     *     meanwhile.
     */
    SegmentWriter createSegment(long checkpointId, String name);

    /**
     * Where a task keeps segments that several checkpoints may rest on.
     *
     * @param task its name, letters, digits, {@code - _ .}; unique in the job at any time.
     * @return the place; usable as long as this store is open.
     */
    SharedSegments shared(String task);

    /**
     * Publishes a checkpoint, atomically and durably: from now on {@link #completed()} lists it, also after a crash.
     *
     * @param manifest that names finished segments of its own checkpoint, and shared ones that are there.
     * @throws io.weir.storage.snapshot.SnapshotException if that failed for sure, or with an unknown outcome; nothing is
     *     deleted in either case. It can't be tried again for the same id: call {@link #delete}.
     */
    void publish(Manifest manifest);

    /**
     * Makes a savepoint, or a retained checkpoint of another folder, a completed checkpoint of this job, of the same id: all its
     * files are copied and compared, so that the job depends on nothing of the source, which its owner may delete at once.
     * Atomic and durable as {@link #publish} is. Later attempts and ids are larger than the source's.
     *
     * <p>If the store has completed checkpoints: a source that was adopted before, even one that is gone by now, changes
     * nothing, so that a restart with the same arguments goes on from the newest checkpoint; a source of the same job that is
     * newer than all of them is adopted, such as a savepoint that this store has just published; any other is refused.
     *
     * <p>A source from elsewhere is adopted before the first call of {@link #nextCheckpointId}. May block, as long as copying
     * takes.
     *
     * @param source the folder of a savepoint, whatever form its state has, or {@code chk-N} in a job's folder.
     * @param claim whether the source, a savepoint, is deleted then, its manifest first. If that does not come to its end, the
     *     next call of the same arguments goes on.
     * @return the newest completed checkpoint, which the job goes on from.
     * @throws CheckpointStorageException if the source is missing, damaged or refused, or a disk fails; it names the source and
     *     the reason. No checkpoint was added then, unless that is not known, or only the deletion of a claimed source failed:
     *     the next call of the same arguments finds out.
     */
    long adopt(Path source, boolean claim);

    /**
     * Whether a checkpoint was adopted, and so is not of this job's own making.
     *
     * @param checkpointId of a completed checkpoint.
     * @return true if so.
     */
    boolean isAdopted(long checkpointId);

    /**
     * The completed checkpoints: all that a later process would find, also one whose publishing ended with an unknown outcome
     * and that was not deleted. May block.
     *
     * @return ids, rising.
     * @throws CheckpointStorageException if the disk fails, and so the outcome is still unknown.
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
     * Deletes a checkpoint, completed or not, or a savepoint that is not published: the manifest first. Idempotent. Not while it
     * is being published. Segments that
     * tasks still write are deleted too, and no new ones can be created in it. Then shared segments are deleted that no
     * published checkpoint names and that are not newer than the newest completed one; none while a manifest can't be read.
     *
     * @param checkpointId to delete.
     * @throws CheckpointStorageException if the disk fails; it is no longer listed, but the next open lists it again if its
     *     manifest is still there, and else sweeps the rest.
     */
    void delete(long checkpointId);

    /** Gives up the claim. Idempotent. */
    @Override
    void close();
}
