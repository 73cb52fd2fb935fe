package io.weir.storage.checkpoint;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The savepoints that a job's store is writing, and the ids of those that it has written. Any thread. */
final class Savepoints {
    private static final int REMEMBERED = 1024;

    private final FileStore files;
    private final Path jobFolder;
    private final boolean isJobFolderFit;
    private final Map<Long, SavepointFolder> pending = new HashMap<>();
    private final Set<Long> published = new LinkedHashSet<>();

    /**
     * No savepoints yet.
     *
     * @param files the disk for savepoints.
     * @param jobFolder names the job, and takes the savepoints that were given no directory.
     * @param isJobFolderFit whether the job's folder is on that disk.
     */
    Savepoints(final FileStore files, final Path jobFolder, final boolean isJobFolderFit) {
        this.files = files;
        this.jobFolder = jobFolder;
        this.isJobFolderFit = isJobFolderFit;
    }

    private String jobId() {
        return jobFolder.getFileName().toString();
    }

    SavepointFolder begin(final long checkpointId, final Path directory) {
        if (directory == null && !isJobFolderFit) {
            throw new CheckpointStorageException("savepoint " + checkpointId
                    + " can't be made: checkpoints are kept in memory; name a directory for the savepoint");
        }
        final Path parent =
                directory == null ? jobFolder : directory.toAbsolutePath().normalize();
        final Path folder = parent.resolve(
                directory == null
                        ? CheckpointNames.savepoint(checkpointId)
                        : CheckpointNames.savepoint(jobId(), checkpointId));
        final SavepointFolder savepoint;
        try {
            Folders.make(files, parent, "savepoint directory");
            savepoint = SavepointFolder.create(files, folder, checkpointId);
        } catch (final FileException e) {
            throw new CheckpointStorageException("savepoint folder " + folder + " can't be made: " + e.getMessage(), e);
        }
        synchronized (this) {
            pending.put(checkpointId, savepoint);
        }
        return savepoint;
    }

    /** The savepoint of an id that is being written, null if there is none. */
    synchronized SavepointFolder pending(final long checkpointId) {
        return pending.get(checkpointId);
    }

    synchronized boolean isPublished(final long checkpointId) {
        return published.contains(checkpointId);
    }

    /** It is the user's from now on. */
    synchronized void published(final long checkpointId) {
        pending.remove(checkpointId);
        published.add(checkpointId);
        if (published.size() > REMEMBERED) {
            published.remove(published.iterator().next());
        }
    }

    /** The job takes it over: its id may become that of a checkpoint. */
    synchronized void forget(final long checkpointId) {
        published.remove(checkpointId);
    }

    synchronized void deleted(final long checkpointId) {
        pending.remove(checkpointId);
    }
}
