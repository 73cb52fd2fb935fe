package io.weir.storage.checkpoint;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.ManifestCodec;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One job's folder. What decides is guarded by the object's lock; the disk is waited for outside of it, but for the creation
 * of files and the rare extension of the drawn ids.
 *
 * <p>Ids are drawn in blocks, so that no id costs a force: the durable mark lies ahead of all ids in use, and a new process
 * begins at the mark. After a crash up to {@value #ID_BLOCK} ids are therefore never used.
 */
final class FileCheckpointStore implements CheckpointStore {
    /** How many ids are drawn at once. */
    static final long ID_BLOCK = 10_000;

    private static final int REMEMBERED_DELETIONS = 1024;
    static final int MAX_MANIFEST_LENGTH = 1 << 28;

    private final FileStore files;
    private final Path folder;
    private final String jobName;
    private final FileClaim claim;
    private final JobFiles jobFiles;
    private final TreeSet<Long> completed = new TreeSet<>();
    private final Set<Long> published = new HashSet<>();

    /** Those whose manifest has its name, though perhaps not for long. */
    private final TreeSet<Long> uncertain = new TreeSet<>();

    private final Set<Long> deleted = new HashSet<>();
    private final Deque<Long> deletedInOrder = new ArrayDeque<>();
    private final SharedFiles shared = new SharedFiles();
    private final Savepoints savepoints;
    private final Adoptions adoptions;
    private final Adoption adoption;

    /** Adopted while their job ran on: its tasks' chains rest on nothing of them. */
    private final Set<Long> adopted = new HashSet<>();

    private JobFiles.Counters counters;
    private boolean closed;

    private FileCheckpointStore(
            final FileStore files,
            final Path folder,
            final String jobName,
            final FileStore savepointFiles,
            final FileClaim claim) {
        this.files = files;
        this.folder = folder;
        this.jobName = jobName;
        this.claim = claim;
        this.jobFiles = new JobFiles(files, folder);
        this.savepoints = new Savepoints(savepointFiles, folder, savepointFiles == files);
        this.adoptions = new Adoptions(jobFiles);
        this.adoption = new Adoption(this, files, folder, jobName, savepointFiles, adoptions);
    }

    static FileCheckpointStore open(
            final FileStore files, final Path folder, final String jobName, final FileStore savepointFiles) {
        FileClaim claim = null;
        try {
            claim = claim(files, folder);
            final FileCheckpointStore store = new FileCheckpointStore(files, folder, jobName, savepointFiles, claim);
            store.recover();
            return store;
        } catch (final FileException e) {
            throw closing(
                    claim,
                    new CheckpointStorageException(
                            "checkpoint folder " + folder + " can't be used: " + e.getMessage(), e));
        } catch (final RuntimeException e) {
            throw closing(claim, e);
        }
    }

    static FileClaim claim(final FileStore files, final Path folder) {
        final FileClaim claim = files.tryClaim(folder.resolve(JobFiles.LOCK));
        if (claim == null) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " is in use by a running process (or twice by this one)");
        }
        return claim;
    }

    static RuntimeException closing(final FileClaim claim, final RuntimeException failure) {
        try {
            if (claim != null) {
                claim.close();
            }
        } catch (final FileException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private void recover() {
        jobFiles.claimFor(jobName);
        counters = jobFiles.readCounters();
        final FolderSweep sweep = FolderSweep.look(files, folder, shared, id -> load(files, folder, jobName, id));
        sweep.run(path -> {});
        completed.addAll(sweep.completed());
        if (!completed.isEmpty() && completed.last() >= counters.endCheckpointId()) {
            counters = new JobFiles.Counters(counters.attempt(), completed.last() + 1);
        }
        adoptions.recover();
        adoptions.resolve(completed);
    }

    @Override
    public synchronized long nextAttempt() {
        checkOpen();
        setCounters(new JobFiles.Counters(counters.attempt() + 1, counters.endCheckpointId()));
        return counters.attempt();
    }

    @Override
    public synchronized long nextCheckpointId() {
        checkOpen();
        final long next = counters.endCheckpointId();
        setCounters(new JobFiles.Counters(counters.attempt(), next + ID_BLOCK));
        return next;
    }

    private void setCounters(final JobFiles.Counters next) {
        try {
            jobFiles.writeCounters(next);
        } catch (final FileException e) {
            throw new CheckpointStorageException("checkpoint folder " + folder + ": " + e.getMessage(), e);
        }
        counters = next;
    }

    /** Keeps the durable mark at least half a block ahead of an id that is in use. */
    private void drawAhead(final long checkpointId) {
        if (checkpointId >= counters.endCheckpointId() - ID_BLOCK / 2) {
            setCounters(new JobFiles.Counters(counters.attempt(), checkpointId + ID_BLOCK));
        }
    }

    @Override
    public Path beginSavepoint(final long checkpointId, final Path directory) {
        CheckpointNames.checkId(checkpointId);
        synchronized (this) {
            checkOpen();
            checkUnused(checkpointId);
            drawAhead(checkpointId);
        }
        return savepoints.begin(checkpointId, directory).path();
    }

    private void checkUnused(final long checkpointId) {
        final boolean isPublished = isPublished(checkpointId);
        if (isPublished || deleted.contains(checkpointId) || savepoints.pending(checkpointId) != null) {
            throw new IllegalStateException("checkpoint " + checkpointId + " of job '" + jobName + "' was "
                    + (isPublished ? "published" : deleted.contains(checkpointId) ? "deleted" : "begun"));
        }
    }

    /** Whether an id is that of a checkpoint or savepoint that is published, or is being. */
    private boolean isPublished(final long checkpointId) {
        return completed.contains(checkpointId)
                || published.contains(checkpointId)
                || savepoints.isPublished(checkpointId);
    }

    @Override
    public synchronized SegmentWriter createSegment(final long checkpointId, final String name) {
        checkOpen();
        CheckpointNames.checkId(checkpointId);
        CheckpointNames.checkSegment(name);
        checkPending(checkpointId, name);
        final SavepointFolder savepoint = savepoints.pending(checkpointId);
        if (savepoint != null) {
            return savepoint.createSegment(name);
        }
        final String file = CheckpointNames.segmentFile(checkpointId, name);
        makeDirectoryFor(checkpointId, file);
        return SegmentFiles.create(files, folder.resolve(file), file);
    }

    private void checkPending(final long checkpointId, final String name) {
        if (deleted.contains(checkpointId)) {
            throw new SnapshotException("segment " + name + " can't be created: checkpoint " + checkpointId
                    + " of job '" + jobName + "' was deleted");
        }
        if (isPublished(checkpointId)) {
            throw new IllegalStateException("segment " + name + " comes too late: checkpoint " + checkpointId
                    + " of job '" + jobName + "' was published");
        }
    }

    private void makeDirectoryFor(final long checkpointId, final String file) {
        try {
            drawAhead(checkpointId);
            final Path directory = folder.resolve(file).getParent();
            if (files.kind(directory) == FileKind.ABSENT) {
                files.createDirectory(directory);
            }
        } catch (final FileException | CheckpointStorageException e) {
            throw new SnapshotException("segment " + file + " can't be created: " + e.getMessage(), e);
        }
    }

    @Override
    public SharedSegments shared(final String task) {
        CheckpointNames.checkSegment(task);
        return new SharedSegments() {
            @Override
            public FileStore files() {
                return files;
            }

            @Override
            public Location create(final long checkpointId, final String suffix) {
                final String file = createShared(checkpointId, task, suffix);
                return new Location(files, folder.resolve(file), file);
            }

            @Override
            public Location createOwn(final long checkpointId, final String suffix) {
                return createOwned(checkpointId, task, suffix);
            }

            @Override
            public Path path(final SegmentHandle handle) {
                CheckpointNames.checkSharedFile(handle.file());
                return folder.resolve(handle.file());
            }
        };
    }

    private synchronized String createShared(final long checkpointId, final String task, final String suffix) {
        checkOpen();
        CheckpointNames.checkId(checkpointId);
        final String file = CheckpointNames.sharedFile(checkpointId, task, suffix);
        CheckpointNames.checkSharedFile(file);
        checkPending(checkpointId, file);
        if (!completed.isEmpty() && checkpointId < completed.last()) {
            throw new SnapshotException("segment " + file + " can't be created: checkpoint " + completed.last()
                    + " of job '" + jobName + "' has completed, which is newer");
        }
        makeDirectoryFor(checkpointId, file);
        if (!shared.add(file, checkpointId)) {
            throw new IllegalStateException("segment " + file + " of job '" + jobName + "' is created twice");
        }
        return file;
    }

    private synchronized SharedSegments.Location createOwned(
            final long checkpointId, final String task, final String suffix) {
        checkOpen();
        checkPending(checkpointId, CheckpointNames.savepointPages(task, suffix));
        final SavepointFolder savepoint = savepoints.pending(checkpointId);
        if (savepoint == null) {
            throw new IllegalStateException("checkpoint " + checkpointId + " of job '" + jobName + "' is no savepoint");
        }
        return savepoint.createPages(task, suffix);
    }

    @Override
    public void publish(final Manifest manifest) {
        final SavepointFolder savepoint = savepoints.pending(manifest.checkpointId());
        if (savepoint == null) {
            publishCheckpoint(manifest);
        } else {
            publishSavepoint(savepoint, manifest);
        }
    }

    private void publishSavepoint(final SavepointFolder savepoint, final Manifest manifest) {
        synchronized (this) {
            checkOpen();
            checkPublishable(manifest);
            published.add(manifest.checkpointId());
        }
        savepoint.publish(manifest);
        synchronized (this) {
            savepoints.published(manifest.checkpointId());
            published.remove(manifest.checkpointId());
        }
    }

    @Override
    public boolean isAdopted(final long checkpointId) {
        synchronized (adoption) {
            return adoptions.has(checkpointId);
        }
    }

    @Override
    public long adopt(final Path source, final boolean claim) {
        synchronized (adoption) {
            return adoption.adopt(source, claim);
        }
    }

    /** No attempt and no checkpoint id is drawn again that a source has. Durable. */
    synchronized void raiseCounters(final long attempt, final long checkpointId) {
        checkOpen();
        if (attempt > counters.attempt()) {
            setCounters(new JobFiles.Counters(attempt, counters.endCheckpointId()));
        }
        drawAhead(checkpointId);
    }

    /** Publishes a checkpoint whose files have been copied here. */
    void publishAdopted(final Manifest manifest) {
        final long checkpointId = manifest.checkpointId();
        synchronized (this) {
            checkOpen();
            if (!completed.isEmpty() && completed.last() >= checkpointId) {
                throw new SnapshotException("checkpoint " + completed.last() + " of job '" + jobName
                        + "' has completed meanwhile, which is newer");
            }
            // It may have been a savepoint of this store's own.
            savepoints.forget(checkpointId);
            deleted.remove(checkpointId);
            adopted.add(checkpointId);
            FolderSweep.sharedNames(manifest).forEach(file -> shared.add(file, checkpointId));
        }
        try {
            publishCheckpoint(manifest);
        } catch (final RuntimeException e) {
            giveUpAdopted(manifest, e);
            throw e;
        }
    }

    private synchronized void giveUpAdopted(final Manifest manifest, final RuntimeException failure) {
        if (!(failure instanceof SnapshotException unsure && unsure.isOutcomeUnknown())) {
            published.remove(manifest.checkpointId());
            adopted.remove(manifest.checkpointId());
            shared.forget(manifest.checkpointId(), FolderSweep.sharedNames(manifest));
        }
    }

    private void publishCheckpoint(final Manifest manifest) {
        final long checkpointId = manifest.checkpointId();
        final byte[] bytes = ManifestCodec.encode(manifest);
        final Path checkpoint = folder.resolve(CheckpointNames.folder(checkpointId));
        CheckpointNames.checkId(checkpointId);
        beginPublish(manifest);
        boolean placed = false;
        try {
            synchronized (this) {
                drawAhead(checkpointId);
            }
            if (files.kind(checkpoint) == FileKind.ABSENT) {
                files.createDirectory(checkpoint);
            }
            checkSegments(manifest);
            settleShared(manifest);
            // The names of the segments and of their folder have to be durable before the manifest's can become so.
            files.forceDirectory(checkpoint);
            files.forceDirectory(folder);
            DurableFile.place(files, checkpoint.resolve(CheckpointNames.MANIFEST), ByteBuffer.wrap(bytes));
            placed = true;
            files.forceDirectory(checkpoint);
        } catch (final FileException | CheckpointStorageException e) {
            final String manifestName = "manifest of checkpoint " + checkpointId + " of job '" + jobName + "'";
            if (placed) {
                synchronized (this) {
                    uncertain.add(checkpointId);
                }
                throw SnapshotException.outcomeUnknown(
                        manifestName + " is perhaps not published: " + e.getMessage(), e);
            }
            throw new SnapshotException(manifestName + " is not published: " + e.getMessage(), e);
        }
        synchronized (this) {
            published.remove(checkpointId);
            completed.add(checkpointId);
        }
    }

    private synchronized void beginPublish(final Manifest manifest) {
        checkOpen();
        checkPublishable(manifest);
        final long checkpointId = manifest.checkpointId();
        final Set<String> sharedNames = FolderSweep.sharedNames(manifest);
        final String missing = shared.firstMissing(sharedNames);
        if (missing != null) {
            throw missing(manifest, missing);
        }
        shared.need(checkpointId, sharedNames);
        published.add(checkpointId);
    }

    private void checkPublishable(final Manifest manifest) {
        final long checkpointId = manifest.checkpointId();
        if (!manifest.jobName().equals(jobName)) {
            throw new IllegalArgumentException("manifest of checkpoint " + checkpointId + " is of job '"
                    + manifest.jobName() + "', the store of job '" + jobName + "'");
        }
        if (completed.contains(checkpointId)
                || deleted.contains(checkpointId)
                || published.contains(checkpointId)
                || savepoints.isPublished(checkpointId)) {
            throw new IllegalStateException("checkpoint " + checkpointId + " of job '" + jobName + "' was "
                    + (deleted.contains(checkpointId) ? "deleted" : "published"));
        }
    }

    private static IllegalArgumentException missing(final Manifest manifest, final String file) {
        return new IllegalArgumentException(
                "manifest of checkpoint " + manifest.checkpointId() + " names " + file + ", which is missing");
    }

    private void checkSegments(final Manifest manifest) {
        final String own = CheckpointNames.folder(manifest.checkpointId()) + "/";
        for (final Manifest.TaskPart task : manifest.tasks()) {
            final SegmentHandle segment = task.segment();
            if (segment == null) {
                continue;
            }
            CheckpointNames.checkSegmentFile(segment.file());
            if (!segment.file().startsWith(own)) {
                throw new IllegalArgumentException("manifest of checkpoint " + manifest.checkpointId() + " names "
                        + segment.file() + ", a segment of another checkpoint");
            }
            if (files.kind(folder.resolve(segment.file())) != FileKind.FILE) {
                throw missing(manifest, segment.file());
            }
        }
    }

    /** Makes sure that shared segments which no earlier manifest named are there, and their names durable. */
    private void settleShared(final Manifest manifest) {
        final List<String> unsettled;
        synchronized (this) {
            unsettled = shared.unsettled(manifest.checkpointId());
        }
        if (unsettled.isEmpty()) {
            return;
        }
        for (final String file : unsettled) {
            if (files.kind(folder.resolve(file)) != FileKind.FILE) {
                throw missing(manifest, file);
            }
        }
        files.forceDirectory(folder.resolve(CheckpointNames.SHARED));
        synchronized (this) {
            shared.settled(manifest.checkpointId());
        }
    }

    @Override
    public synchronized List<Long> completed() {
        checkOpen();
        while (!uncertain.isEmpty()) {
            settle(uncertain.first());
        }
        return List.copyOf(completed);
    }

    /** The next process would find the manifest or not, as the disk wills: now it will. */
    private void settle(final long checkpointId) {
        try {
            files.forceDirectory(folder.resolve(CheckpointNames.folder(checkpointId)));
        } catch (final FileException e) {
            throw new CheckpointStorageException(
                    "it is not known whether checkpoint " + checkpointId + " of job '" + jobName + "' is published: "
                            + e.getMessage(),
                    e);
        }
        uncertain.remove(checkpointId);
        published.remove(checkpointId);
        completed.add(checkpointId);
    }

    @Override
    public Manifest load(final long checkpointId) {
        synchronized (this) {
            checkOpen();
            if (!completed.contains(checkpointId)) {
                throw new IllegalArgumentException("checkpoint " + checkpointId + " of job '" + jobName
                        + "' is not completed; these are: " + completed);
            }
        }
        return load(files, folder, jobName, checkpointId);
    }

    static Manifest load(final FileStore files, final Path folder, final String jobName, final long checkpointId) {
        final Path file = folder.resolve(CheckpointNames.folder(checkpointId)).resolve(CheckpointNames.MANIFEST);
        final Manifest manifest = ManifestCodec.decode(file.toString(), readManifest(files, file));
        if (manifest.checkpointId() != checkpointId || !manifest.jobName().equals(jobName)) {
            throw new CorruptionException(file + " at offset 0: expected checkpoint " + checkpointId + " of job '"
                    + jobName + "', found checkpoint " + manifest.checkpointId() + " of job '" + manifest.jobName()
                    + "'");
        }
        return manifest;
    }

    private static byte[] readManifest(final FileStore files, final Path file) {
        try {
            if (files.kind(file) == FileKind.ABSENT) {
                throw new CorruptionException(file + " at offset 0: expected a manifest, found no file");
            }
            return DurableFile.read(files, file, MAX_MANIFEST_LENGTH);
        } catch (final FileException e) {
            throw new SnapshotException("manifest " + file + " can't be read: " + e.getMessage(), e);
        }
    }

    @Override
    public SegmentReader openSegment(final SegmentHandle handle) {
        synchronized (this) {
            checkOpen();
        }
        CheckpointNames.checkSegmentFile(handle.file());
        return SegmentFiles.open(files, folder.resolve(handle.file()), handle);
    }

    @Override
    public void delete(final long checkpointId) {
        CheckpointNames.checkId(checkpointId);
        final boolean hasManifest = beginDelete(checkpointId);
        final Path checkpoint = folder.resolve(CheckpointNames.folder(checkpointId));
        try {
            deleteSavepoint(checkpointId);
            if (files.kind(checkpoint) != FileKind.ABSENT) {
                if (hasManifest) {
                    // Once its manifest is durably gone the rest is an orphan; only then may segments go.
                    files.delete(checkpoint.resolve(CheckpointNames.MANIFEST));
                    files.forceDirectory(checkpoint);
                }
                Folders.delete(files, checkpoint);
            }
            giveUpShared(checkpointId).forEach(file -> files.delete(folder.resolve(file)));
        } catch (final FileException e) {
            throw new CheckpointStorageException(
                    "checkpoint " + checkpointId + " of job '" + jobName + "' can't be deleted: " + e.getMessage(), e);
        }
        // Last, since on a full disk only the deletion makes room for it.
        synchronized (this) {
            drawAhead(checkpointId);
        }
    }

    private void deleteSavepoint(final long checkpointId) {
        final SavepointFolder savepoint = savepoints.pending(checkpointId);
        if (savepoint != null) {
            savepoint.delete();
            savepoints.deleted(checkpointId);
        }
    }

    /** Says whether the checkpoint may have a manifest, or have had one whose deletion failed. */
    private synchronized boolean beginDelete(final long checkpointId) {
        checkOpen();
        final boolean wasCompleted = completed.remove(checkpointId);
        uncertain.remove(checkpointId);
        final boolean wasPublished = published.remove(checkpointId);
        final boolean again = !deleted.add(checkpointId);
        if (!again) {
            deletedInOrder.add(checkpointId);
        }
        if (deletedInOrder.size() > REMEMBERED_DELETIONS) {
            deleted.remove(deletedInOrder.remove());
        }
        return wasCompleted || wasPublished || again;
    }

    /** A checkpoint's manifest is durably gone: hands out the shared segments that may go now. */
    private synchronized List<String> giveUpShared(final long checkpointId) {
        shared.release(checkpointId);
        final Long newest = completed.stream()
                .filter(id -> !adopted.contains(id))
                .max(Long::compare)
                .orElse(null);
        return newest == null ? List.of() : shared.giveUp(newest);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the checkpoint store of job '" + jobName + "' is closed");
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            claim.close();
        }
    }
}
