package io.weir.storage.checkpoint;

import io.weir.storage.checkpoint.Adoptions.Adopted;
import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.ManifestCodec;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Makes a savepoint, or another job's retained checkpoint, a completed checkpoint of this job's own, by copying it; see {@link
 * CheckpointStore#adopt}. What the job goes on from is never the source, so that is the owner's to delete at any time. One thread at
 * a time; may block.
 */
final class Adoption {
    private final FileCheckpointStore store;
    private final FileStore files;
    private final Path folder;
    private final String jobName;
    private final FileStore sourceFiles;
    private final Adoptions adoptions;

    Adoption(
            final FileCheckpointStore store,
            final FileStore files,
            final Path folder,
            final String jobName,
            final FileStore sourceFiles,
            final Adoptions adoptions) {
        this.store = store;
        this.files = files;
        this.folder = folder;
        this.jobName = jobName;
        this.sourceFiles = sourceFiles;
        this.adoptions = adoptions;
    }

    long adopt(final Path path, final boolean claim) {
        final Path source = path.toAbsolutePath().normalize();
        try {
            return adoptNow(source, claim);
        } catch (final FileException | SnapshotException | CorruptionException e) {
            throw new CheckpointStorageException("savepoint " + source + " can't be restored: " + e.getMessage(), e);
        }
    }

    private long adoptNow(final Path path, final boolean claim) {
        final List<Long> completed = store.completed();
        final long newest = completed.isEmpty() ? 0 : completed.get(completed.size() - 1);
        adoptions.resolve(completed);
        final FileKind kind = sourceFiles.kind(path);
        if (kind != FileKind.DIRECTORY || sourceFiles.kind(path.resolve(CheckpointNames.MANIFEST)) == FileKind.ABSENT) {
            return goOnWithout(path, kind, claim, newest);
        }
        final Source source = read(path);
        if (claim && !source.looked().isSavepoint()) {
            throw new CheckpointStorageException(
                    source + " in " + path
                            + " is a checkpoint, which belongs to its job and can't be claimed; restore it without claiming it");
        }
        if (newest == 0 || !adoptions.has(source.identity())) {
            adopt(source, newest);
        } else if (adoptions.findAt(path.toString()) == null) {
            // It was moved; a restart may name it by either path.
            adoptions.put(source.identity().step(Adoptions.DONE));
        }
        if (claim) {
            claim(source);
        }
        return Math.max(newest, source.looked().only());
    }

    /** The source is not there, or not whole: nothing is missed if the job has it already. */
    private long goOnWithout(final Path path, final FileKind kind, final boolean claim, final long newest) {
        final Adopted before = adoptions.findAt(path.toString());
        if (before != null && newest > 0 && (kind == FileKind.ABSENT || kind == FileKind.DIRECTORY)) {
            if (claim && kind == FileKind.DIRECTORY && before.step() == Adoptions.CLAIMED) {
                deleteRest(path);
            }
            return newest;
        }
        throw new CheckpointStorageException("savepoint " + path + " can't be restored: "
                + switch (kind) {
                    case ABSENT -> "there is no such folder";
                    case DIRECTORY -> "the folder has no manifest";
                    default -> "it is not a folder";
                }
                + (before == null ? "" : "; it was restored before, but no checkpoint of the job is left"));
    }

    private Source read(final Path path) {
        final CheckpointFolder looked = CheckpointFolder.at(sourceFiles, path);
        if (looked.only() == 0) {
            throw new CheckpointStorageException(
                    "savepoint " + path + " can't be restored: it is the folder of a job; name one of its checkpoints");
        }
        final Path file = path.resolve(CheckpointNames.MANIFEST);
        final byte[] bytes = DurableFile.read(sourceFiles, file, FileCheckpointStore.MAX_MANIFEST_LENGTH);
        final Manifest manifest = ManifestCodec.decode(file.toString(), bytes);
        if (!CheckpointNames.isId(manifest.checkpointId())) {
            throw Corruption.at(file.toString(), 0, "a checkpoint's id", "" + manifest.checkpointId());
        }
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return new Source(
                path,
                looked,
                manifest,
                new Adopted(
                        path.toString(),
                        manifest.jobName(),
                        manifest.checkpointId(),
                        (int) checksum.getValue(),
                        Adoptions.INTENDED));
    }

    /** What is adopted. */
    private record Source(Path path, CheckpointFolder looked, Manifest manifest, Adopted identity) {
        @Override
        public String toString() {
            return (looked.isSavepoint() ? "savepoint " : "checkpoint ") + manifest.checkpointId() + " of job '"
                    + manifest.jobName() + "'";
        }
    }

    private void adopt(final Source source, final long newest) {
        final Manifest manifest = source.manifest();
        final long checkpointId = manifest.checkpointId();
        if (isOwn(source, newest)) {
            adoptions.put(source.identity().step(Adoptions.DONE));
            return;
        }
        if (newest > 0 && (!manifest.jobName().equals(jobName) || checkpointId <= newest)) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " has checkpoint " + newest + " of job '"
                            + jobName + "' already, so " + source + " in " + source.path()
                            + " can't be restored into it; start without it, or use another checkpoint folder");
        }
        store.raiseCounters(manifest.attempt(), checkpointId);
        adoptions.put(source.identity());
        final Map<SegmentHandle, SegmentHandle> copies = new HashMap<>();
        try {
            store.publishAdopted(copy(source, copies));
        } catch (final RuntimeException e) {
            if (!(e instanceof SnapshotException unsure && unsure.isOutcomeUnknown())) {
                sweep(checkpointId, copies.values(), e);
            }
            throw e;
        }
        adoptions.put(source.identity().step(Adoptions.DONE));
    }

    /** The job's own newest checkpoint, named by its path. */
    private boolean isOwn(final Source source, final long newest) {
        return newest == source.manifest().checkpointId()
                && files == sourceFiles
                && source.path().equals(folder.resolve(CheckpointNames.folder(newest)));
    }

    /** Copies all files and gives the manifest that names the copies. */
    private Manifest copy(final Source source, final Map<SegmentHandle, SegmentHandle> copies) {
        final Manifest manifest = source.manifest();
        final long checkpointId = manifest.checkpointId();
        makeFolder(folder.resolve(CheckpointNames.folder(checkpointId)));
        final SegmentCopy copy = new SegmentCopy(sourceFiles, files);
        final List<TaskPart> tasks = new ArrayList<>();
        for (final TaskPart task : manifest.tasks()) {
            final List<SegmentHandle> shared = new ArrayList<>();
            for (final SegmentHandle segment : task.shared()) {
                final String file = CheckpointNames.sharedFile(checkpointId, "adopted", "" + copies.size());
                shared.add(copies.computeIfAbsent(segment, any -> copy(copy, source, segment, file)));
            }
            final SegmentHandle own = task.segment();
            final SegmentHandle segment = own == null
                    ? null
                    : copies.computeIfAbsent(own, any -> copy(copy, source, own, ownFile(checkpointId, own)));
            tasks.add(new TaskPart(
                    task.vertexUid(),
                    task.operatorUids(),
                    task.subtask(),
                    task.parallelism(),
                    task.finished(),
                    segment,
                    shared));
        }
        return new Manifest(
                jobName,
                checkpointId,
                manifest.attempt(),
                manifest.triggerTimeMs(),
                manifest.maxParallelism(),
                manifest.stateBackend(),
                tasks);
    }

    private static String ownFile(final long checkpointId, final SegmentHandle own) {
        return CheckpointNames.folder(checkpointId) + "/"
                + own.file().substring(own.file().lastIndexOf('/') + 1);
    }

    private SegmentHandle copy(
            final SegmentCopy copy, final Source source, final SegmentHandle segment, final String file) {
        final Path from = source.looked().path(source.manifest(), segment);
        if (sourceFiles.kind(from) != FileKind.FILE) {
            throw Corruption.at(from.toString(), 0, "a segment of " + segment.length() + " bytes", "no file");
        }
        final Path target = folder.resolve(file);
        makeFolder(target.getParent());
        copy.copy(from, segment, target);
        return new SegmentHandle(file, segment.length(), segment.checksum(), segment.entries());
    }

    private void makeFolder(final Path directory) {
        if (files.kind(directory) == FileKind.ABSENT) {
            files.createDirectory(directory);
        }
    }

    /** Deletes what was copied; what can't be deleted is swept at the next open. */
    private void sweep(final long checkpointId, final Iterable<SegmentHandle> copies, final RuntimeException failure) {
        try {
            final Path own = folder.resolve(CheckpointNames.folder(checkpointId));
            if (files.kind(own) == FileKind.DIRECTORY) {
                Folders.delete(files, own);
            }
            copies.forEach(segment -> files.delete(folder.resolve(segment.file())));
        } catch (final FileException e) {
            failure.addSuppressed(e);
        }
    }

    /** Deletes the source, the manifest first: a folder without one is no savepoint. */
    private void claim(final Source source) {
        adoptions.put(source.identity().step(Adoptions.CLAIMED));
        sourceFiles.delete(source.path().resolve(CheckpointNames.MANIFEST));
        sourceFiles.forceDirectory(source.path());
        deleteRest(source.path());
    }

    /** Deletes the files of a savepoint that has no manifest any more, and the folder unless there is something else in it. */
    private void deleteRest(final Path path) {
        boolean isEmpty = true;
        for (final String name : sourceFiles.list(path)) {
            if (CheckpointNames.isSavepointFile(name)) {
                sourceFiles.delete(path.resolve(name));
            } else {
                isEmpty = false;
            }
        }
        if (isEmpty) {
            sourceFiles.delete(path);
        }
    }
}
