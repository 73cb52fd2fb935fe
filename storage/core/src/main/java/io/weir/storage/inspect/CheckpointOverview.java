package io.weir.storage.inspect;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SnapshotException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A line in the list of a job's checkpoints and savepoints.
 *
 * @param checkpointId of the checkpoint.
 * @param isSavepoint whether it is a savepoint.
 * @param manifest null if it is not completed, or damaged.
 * @param damage of the manifest, null if there is none.
 */
public record CheckpointOverview(long checkpointId, boolean isSavepoint, Manifest manifest, String damage) {
    /**
     * Lists the checkpoints of a job, then the savepoints in its folder. One that vanishes meanwhile is left out.
     *
     * @param folder of the job.
     * @return each kind rising by id.
     * @throws io.weir.storage.checkpoint.CheckpointStorageException if the disk can't list them.
     */
    public static List<CheckpointOverview> list(final CheckpointFolder folder) {
        final List<CheckpointOverview> overviews = new ArrayList<>();
        folder.checkpoints().forEach(id -> look(folder, id).ifPresent(overviews::add));
        folder.savepoints().stream()
                .sorted(Comparator.comparingLong(CheckpointFolder::only))
                .forEach(savepoint -> look(savepoint, savepoint.only()).ifPresent(overviews::add));
        return overviews;
    }

    private static Optional<CheckpointOverview> look(final CheckpointFolder folder, final long id) {
        final boolean isSavepoint = folder.isSavepoint();
        if (!folder.isCompleted(id)) {
            return folder.isThere(id)
                    ? Optional.of(new CheckpointOverview(id, isSavepoint, null, null))
                    : Optional.empty();
        }
        try {
            return Optional.of(new CheckpointOverview(id, isSavepoint, folder.load(id), null));
        } catch (final CorruptionException e) {
            return Optional.of(new CheckpointOverview(id, isSavepoint, null, e.getMessage()));
        } catch (final SnapshotException e) {
            return folder.isCompleted(id)
                    ? Optional.of(new CheckpointOverview(id, isSavepoint, null, e.getMessage()))
                    : Optional.empty();
        }
    }

    /**
     * Whether it has been completed.
     *
     * @return false while it is being written, or once it is being deleted.
     */
    public boolean isCompleted() {
        return manifest != null || damage != null;
    }

    /**
     * The bytes of the files that are its own.
     *
     * @return as its manifest says, 0 without one.
     */
    public long ownBytes() {
        return manifest == null
                ? 0
                : manifest.tasks().stream()
                        .filter(task -> task.segment() != null)
                        .mapToLong(task -> task.segment().length())
                        .sum();
    }

    /**
     * The bytes of the files that it may share with other checkpoints, each once.
     *
     * @return as its manifest says, 0 without one.
     */
    public long sharedBytes() {
        final Map<String, Long> lengths = new HashMap<>();
        if (manifest != null) {
            manifest.tasks()
                    .forEach(task -> task.shared().forEach(segment -> lengths.put(segment.file(), segment.length())));
        }
        return lengths.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The largest parallelism of a vertex.
     *
     * @return as its manifest says, 0 without one.
     */
    public int parallelism() {
        return manifest == null
                ? 0
                : manifest.tasks().stream()
                        .mapToInt(Manifest.TaskPart::parallelism)
                        .max()
                        .orElse(0);
    }
}
