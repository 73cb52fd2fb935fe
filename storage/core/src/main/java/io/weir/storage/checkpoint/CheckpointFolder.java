package io.weir.storage.checkpoint;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.ManifestCodec;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A job's folder, or a savepoint's, looked at from outside: claims and changes nothing, so the job may run, and what was there may
 * be gone at the next look. Immutable, any thread; may block.
 */
public final class CheckpointFolder {
    private final FileStore files;
    private final Path folder;
    private final long only;
    private final boolean isSavepoint;

    private CheckpointFolder(final FileStore files, final Path folder, final long only, final boolean isSavepoint) {
        this.files = files;
        this.folder = folder;
        this.only = only;
        this.isSavepoint = isSavepoint;
    }

    /**
     * Finds the folder of a job, or of a savepoint.
     *
     * @param files the disk.
     * @param path of a job's folder, of one {@code chk-N} in it, of a checkpoint folder with one job, or of a savepoint, which
     *     its manifest tells whatever its name is.
     * @return the job's folder, or the savepoint's.
     * @throws CheckpointStorageException if the path is none of these; it says what it is.
     */
    public static CheckpointFolder at(final FileStore files, final Path path) {
        final List<CheckpointFolder> jobs = allAt(files, path);
        if (jobs.size() > 1) {
            throw new CheckpointStorageException(path.toAbsolutePath().normalize()
                    + " holds the checkpoints of several jobs, name one of "
                    + jobs.stream()
                            .map(job -> job.folder.getFileName().toString())
                            .toList());
        }
        return jobs.get(0);
    }

    /**
     * Finds the folders of all jobs.
     *
     * @param files the disk.
     * @param path of a checkpoint folder, or as of {@link #at}.
     * @return the jobs' folders by name, at least one.
     * @throws CheckpointStorageException if the path is none of these; it says what it is.
     */
    public static List<CheckpointFolder> allAt(final FileStore files, final Path path) {
        final Path whole = path.toAbsolutePath().normalize();
        try {
            switch (files.kind(whole)) {
                case ABSENT -> throw new CheckpointStorageException("there is no checkpoint folder " + whole);
                case DIRECTORY -> {
                    // As it should be.
                }
                default -> throw new CheckpointStorageException("checkpoint folder " + whole + " is not a folder");
            }
            final CheckpointFolder one = ofOne(files, whole);
            return one != null
                    ? List.of(one)
                    : jobFolders(files, whole).stream()
                            .map(job -> new CheckpointFolder(files, job, 0, false))
                            .toList();
        } catch (final FileException e) {
            throw new CheckpointStorageException("checkpoint folder " + whole + " can't be read: " + e.getMessage(), e);
        }
    }

    /** The savepoint or the checkpoint that a folder is the own one of, null if it is of neither. */
    private static CheckpointFolder ofOne(final FileStore files, final Path folder) {
        final String name =
                folder.getFileName() == null ? "" : folder.getFileName().toString();
        final long savepoint = savepointId(files, folder, name);
        if (savepoint > 0) {
            return new CheckpointFolder(files, folder, savepoint, true);
        }
        final long id = CheckpointNames.checkpointId(name);
        return id > 0 ? new CheckpointFolder(files, folder.getParent(), id, false) : null;
    }

    /** The id of the savepoint in a folder, or -1 if there is none. */
    private static long savepointId(final FileStore files, final Path folder, final String name) {
        final Path file = folder.resolve(CheckpointNames.MANIFEST);
        if (files.kind(file) != FileKind.FILE) {
            return -1;
        }
        final Manifest manifest;
        try {
            manifest = read(files, file);
        } catch (final CorruptionException | SnapshotException e) {
            if (CheckpointNames.checkpointId(name) > 0) {
                return -1;
            }
            final long named = CheckpointNames.savepointId(name);
            if (named > 0) {
                return named;
            }
            throw new CheckpointStorageException(
                    folder + " has the manifest of a savepoint that can't be read: " + e.getMessage(), e);
        }
        return isSavepoint(manifest, name) ? manifest.checkpointId() : -1;
    }

    /** A checkpoint's manifest names files of the job's folder, a savepoint's those beside it. */
    static boolean isSavepoint(final Manifest manifest, final String folderName) {
        for (final Manifest.TaskPart task : manifest.tasks()) {
            if (task.segment() != null) {
                return CheckpointNames.isSavepointFile(task.segment().file());
            }
            if (!task.shared().isEmpty()) {
                return CheckpointNames.isSavepointFile(task.shared().get(0).file());
            }
        }
        return CheckpointNames.checkpointId(folderName) < 0;
    }

    private static List<Path> jobFolders(final FileStore files, final Path path) {
        if (isJobFolder(files, path)) {
            return List.of(path);
        }
        final List<Path> jobs = new ArrayList<>();
        for (final String name : files.list(path)) {
            final Path inside = path.resolve(name);
            if (files.kind(inside) == FileKind.DIRECTORY && isJobFolder(files, inside)) {
                jobs.add(inside);
            }
        }
        if (jobs.isEmpty()) {
            throw new CheckpointStorageException(path
                    + " is not a checkpoint folder: it holds neither checkpoints (chk-N)" + " nor the folder of a job");
        }
        return jobs;
    }

    /** A new job has no checkpoints yet. */
    private static boolean isJobFolder(final FileStore files, final Path path) {
        final List<String> names = files.list(path);
        return names.stream().anyMatch(name -> CheckpointNames.checkpointId(name) > 0)
                || names.containsAll(List.of(JobFiles.JOB, JobFiles.COUNTERS));
    }

    /**
     * Names the folder.
     *
     * @return the job's folder, or the savepoint's.
     */
    public Path path() {
        return folder;
    }

    /**
     * Whether it is the folder of a savepoint.
     *
     * @return true if so; it holds that one alone.
     */
    public boolean isSavepoint() {
        return isSavepoint;
    }

    /**
     * The checkpoint, or savepoint, whose own folder was given.
     *
     * @return its id, 0 if a job's folder was given.
     */
    public long only() {
        return only;
    }

    /**
     * The checkpoints that there are folders of, completed or not.
     *
     * @return ids, rising; {@link #only()} if that is one.
     * @throws CheckpointStorageException if the disk can't list them.
     */
    public List<Long> checkpoints() {
        if (only > 0) {
            return List.of(only);
        }
        try {
            return files.list(folder).stream()
                    .map(CheckpointNames::checkpointId)
                    .filter(id -> id > 0)
                    .sorted()
                    .toList();
        } catch (final FileException e) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * The savepoints that lie in the job's folder, completed or not.
     *
     * @return their folders by name; none of a folder that is itself that of a checkpoint or savepoint.
     * @throws CheckpointStorageException if the disk can't list them.
     */
    public List<CheckpointFolder> savepoints() {
        final List<CheckpointFolder> savepoints = new ArrayList<>();
        if (only > 0) {
            return savepoints;
        }
        try {
            for (final String name : files.list(folder)) {
                final Path path = folder.resolve(name);
                final long named = CheckpointNames.savepointId(name);
                if (named > 0 && files.kind(path) == FileKind.DIRECTORY) {
                    final long id = savepointId(files, path, name);
                    savepoints.add(new CheckpointFolder(files, path, id > 0 ? id : named, true));
                }
            }
            return savepoints;
        } catch (final FileException e) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * Whether a checkpoint is there, completed or not.
     *
     * @param checkpointId of a checkpoint.
     * @return whether it has a folder now.
     */
    public boolean isThere(final long checkpointId) {
        return files.kind(own(checkpointId)) == FileKind.DIRECTORY;
    }

    /**
     * Whether a checkpoint has a manifest now: then it is completed, and its segments are there.
     *
     * @param checkpointId of a checkpoint.
     * @return false before it completes, and once it is being deleted.
     */
    public boolean isCompleted(final long checkpointId) {
        return files.kind(manifest(checkpointId)) == FileKind.FILE;
    }

    private Path manifest(final long checkpointId) {
        return own(checkpointId).resolve(CheckpointNames.MANIFEST);
    }

    /** Where a checkpoint's manifest and its own segments are. */
    private Path own(final long checkpointId) {
        return isSavepoint && checkpointId == only ? folder : folder.resolve(CheckpointNames.folder(checkpointId));
    }

    /**
     * Loads a manifest.
     *
     * @param checkpointId of a completed checkpoint.
     * @return its manifest.
     * @throws CorruptionException if it is damaged; names file, offset, expected and found.
     * @throws SnapshotException if it can't be read, such as one that is gone.
     */
    public Manifest load(final long checkpointId) {
        final Path file = manifest(checkpointId);
        final Manifest manifest = read(files, file);
        if (manifest.checkpointId() != checkpointId) {
            throw Corruption.at(
                    file.toString(), 0, "checkpoint " + checkpointId, "checkpoint " + manifest.checkpointId());
        }
        return manifest;
    }

    static Manifest read(final FileStore files, final Path file) {
        try {
            return ManifestCodec.decode(
                    file.toString(), DurableFile.read(files, file, FileCheckpointStore.MAX_MANIFEST_LENGTH));
        } catch (final FileException e) {
            throw new SnapshotException("manifest " + file + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * The files of a checkpoint's own segments, whatever its manifest says.
     *
     * @param checkpointId of a checkpoint.
     * @return paths, sorted; none if the checkpoint is gone.
     * @throws CheckpointStorageException if the disk can't list them.
     */
    public List<Path> segments(final long checkpointId) {
        final Path checkpoint = own(checkpointId);
        try {
            return files.list(checkpoint).stream()
                    .filter(CheckpointNames::isSegmentName)
                    .map(checkpoint::resolve)
                    .toList();
        } catch (final FileException e) {
            if (files.kind(checkpoint) == FileKind.ABSENT) {
                return List.of();
            }
            throw new CheckpointStorageException("checkpoint " + checkpoint + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * Finds a segment.
     *
     * @param manifest that names it.
     * @param segment of its own, or shared.
     * @return the path of its file, which lies in the job's folder, or the savepoint's.
     * @throws CorruptionException if that is the name of no segment.
     */
    public Path path(final Manifest manifest, final SegmentHandle segment) {
        try {
            if (isSavepoint) {
                CheckpointNames.checkSavepointFile(segment.file());
            } else if (segment.file().startsWith(CheckpointNames.SHARED)) {
                CheckpointNames.checkSharedFile(segment.file());
            } else {
                CheckpointNames.checkSegmentFile(segment.file());
            }
        } catch (final IllegalArgumentException e) {
            throw Corruption.at(
                    manifest(manifest.checkpointId()).toString(), 0, "names of segments", "'" + segment.file() + "'");
        }
        return folder.resolve(segment.file());
    }

    /**
     * The disk.
     *
     * @return the disk that the folder is on.
     */
    public FileStore files() {
        return files;
    }
}
