package io.weir.storage.inspect;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SnapshotException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A line in the list of a job's checkpoints.
 *
 * @param checkpointId of the checkpoint.
 * @param manifest null if it is not completed, or damaged.
 * @param damage of the manifest, null if there is none.
 */
public record CheckpointOverview(long checkpointId, Manifest manifest, String damage) {
    /**
     * Lists the checkpoints of a job. One that vanishes meanwhile is left out.
     *
     * @param folder of the job.
     * @return rising by id.
     * @throws io.weir.storage.checkpoint.CheckpointStorageException if the disk can't list them.
     */
    public static List<CheckpointOverview> list(final CheckpointFolder folder) {
        final List<CheckpointOverview> overviews = new ArrayList<>();
        for (final long id : folder.checkpoints()) {
            final CheckpointOverview overview = look(folder, id);
            if (overview != null) {
                overviews.add(overview);
            }
        }
        return overviews;
    }

    private static CheckpointOverview look(final CheckpointFolder folder, final long id) {
        if (!folder.isCompleted(id)) {
            return folder.isThere(id) ? new CheckpointOverview(id, null, null) : null;
        }
        try {
            return new CheckpointOverview(id, folder.load(id), null);
        } catch (final CorruptionException e) {
            return new CheckpointOverview(id, null, e.getMessage());
        } catch (final SnapshotException e) {
            return folder.isCompleted(id) ? new CheckpointOverview(id, null, e.getMessage()) : null;
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
     * The bytes of all files that it rests on, those that it shares with other checkpoints too, each once.
     *
     * @return as its manifest says, 0 without one.
     */
    public long bytes() {
        final Map<String, Long> lengths = new HashMap<>();
        if (manifest != null) {
            for (final Manifest.TaskPart task : manifest.tasks()) {
                if (task.segment() != null) {
                    lengths.put(task.segment().file(), task.segment().length());
                }
                task.shared().forEach(segment -> lengths.put(segment.file(), segment.length()));
            }
        }
        return lengths.values().stream().mapToLong(Long::longValue).sum();
    }
}
