package io.weir.storage.checkpoint;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.ManifestCodec;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments.Location;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The folder of one savepoint that is being written: manifest and all data side by side, by plain names, so that the folder can be
 * moved and renamed as a whole. Any I/O thread; publishing and deleting one after the other.
 */
final class SavepointFolder {
    private final FileStore files;
    private final Path folder;
    private final long checkpointId;
    private final Set<String> owned = new HashSet<>();

    /** Guarded by this: from now on the folder may hold a manifest. */
    private boolean mayHaveManifest;

    private SavepointFolder(final FileStore files, final Path folder, final long checkpointId) {
        this.files = files;
        this.folder = folder;
        this.checkpointId = checkpointId;
    }

    /** Makes the folder, in a directory that is there. */
    static SavepointFolder create(final FileStore files, final Path folder, final long checkpointId) {
        if (files.kind(folder) != FileKind.ABSENT) {
            throw new CheckpointStorageException("savepoint folder " + folder + " is there already");
        }
        files.createDirectory(folder);
        return new SavepointFolder(files, folder, checkpointId);
    }

    Path path() {
        return folder;
    }

    SegmentWriter createSegment(final String name) {
        final String file = CheckpointNames.savepointSegment(name);
        return SegmentFiles.create(files, folder.resolve(file), file);
    }

    synchronized Location createPages(final String task, final String suffix) {
        final String file = CheckpointNames.savepointPages(task, suffix);
        CheckpointNames.checkSavepointFile(file);
        if (!owned.add(file)) {
            throw new IllegalStateException("file " + file + " of savepoint " + folder + " is created twice");
        }
        return new Location(files, folder.resolve(file), file);
    }

    /** Writes the manifest, atomically and durably. */
    void publish(final Manifest manifest) {
        final byte[] bytes = ManifestCodec.encode(manifest);
        boolean placed = false;
        try {
            checkSegments(manifest);
            // The names of the segments and of their folder have to be durable before the manifest's can become so.
            files.forceDirectory(folder);
            files.forceDirectory(folder.getParent());
            beginManifest();
            DurableFile.place(files, folder.resolve(CheckpointNames.MANIFEST), ByteBuffer.wrap(bytes));
            placed = true;
            files.forceDirectory(folder);
        } catch (final FileException e) {
            final String name = "savepoint " + checkpointId + " of job '" + manifest.jobName() + "' in " + folder;
            if (placed) {
                throw SnapshotException.outcomeUnknown(name + " is perhaps not published: " + e.getMessage(), e);
            }
            throw new SnapshotException(name + " is not published: " + e.getMessage(), e);
        }
    }

    private synchronized void beginManifest() {
        mayHaveManifest = true;
    }

    private void checkSegments(final Manifest manifest) {
        for (final Manifest.TaskPart task : manifest.tasks()) {
            if (task.segment() != null) {
                checkSegment(task.segment());
            }
            task.shared().forEach(this::checkSegment);
        }
    }

    private void checkSegment(final SegmentHandle segment) {
        CheckpointNames.checkSavepointFile(segment.file());
        if (files.kind(folder.resolve(segment.file())) != FileKind.FILE) {
            throw new IllegalArgumentException("manifest of savepoint " + checkpointId + " names " + segment.file()
                    + ", which is missing in " + folder);
        }
    }

    /** Deletes all that was written. Again if it failed. */
    synchronized void delete() {
        if (files.kind(folder) == FileKind.ABSENT) {
            return;
        }
        if (mayHaveManifest) {
            // Once its manifest is durably gone nobody can take the rest for a savepoint; only then may segments go.
            files.delete(folder.resolve(CheckpointNames.MANIFEST));
            files.forceDirectory(folder);
        }
        Folders.delete(files, folder);
    }
}
