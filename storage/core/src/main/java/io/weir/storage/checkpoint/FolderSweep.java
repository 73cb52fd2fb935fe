package io.weir.storage.checkpoint;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * What a job's folder holds that no completed checkpoint needs, and how it goes: decided once, by looking only, then swept. For
 * one who has claimed the folder. A death at any step leaves what the next sweep finds again.
 */
final class FolderSweep {
    private final FileStore files;
    private final Path folder;
    private final SharedFiles shared;
    private final TreeSet<Long> completed = new TreeSet<>();
    private final TreeMap<Long, String> unreadable = new TreeMap<>();
    private final List<Path> unfinished = new ArrayList<>();
    private final List<Path> temporaries = new ArrayList<>();
    private List<Path> segments = List.of();

    private FolderSweep(final FileStore files, final Path folder, final SharedFiles shared) {
        this.files = files;
        this.folder = folder;
        this.shared = shared;
    }

    /** Looks at a folder; takes down in {@code shared} which shared segments stay, and who needs them. */
    static FolderSweep look(
            final FileStore files,
            final Path folder,
            final SharedFiles shared,
            final LongFunction<Manifest> manifests) {
        final FolderSweep sweep = new FolderSweep(files, folder, shared);
        for (final String name : files.list(folder)) {
            final Path path = folder.resolve(name);
            final long checkpointId = CheckpointNames.checkpointId(name);
            if (checkpointId > 0) {
                sweep.lookAtCheckpoint(checkpointId, path);
            } else if (name.endsWith(DurableFile.TEMPORARY)) {
                sweep.temporaries.add(path);
            } else if (CheckpointNames.isSavepointOf(folder.getFileName().toString(), name)) {
                sweep.lookAtSavepoint(path);
            }
        }
        sweep.lookAtShared(manifests);
        return sweep;
    }

    private void lookAtCheckpoint(final long checkpointId, final Path path) {
        if (files.kind(path) != FileKind.DIRECTORY) {
            throw new CheckpointStorageException("checkpoint folder " + path + " is not a folder");
        }
        if (files.kind(path.resolve(CheckpointNames.MANIFEST)) == FileKind.ABSENT) {
            unfinished.add(path);
            return;
        }
        final Path temporary = path.resolve(CheckpointNames.MANIFEST + DurableFile.TEMPORARY);
        if (files.kind(temporary) != FileKind.ABSENT) {
            temporaries.add(temporary);
        }
        completed.add(checkpointId);
    }

    /** Only one that this job began, since it may be a user's own folder else; those in other directories are the user's. */
    private void lookAtSavepoint(final Path path) {
        if (files.kind(path) == FileKind.DIRECTORY
                && files.kind(path.resolve(CheckpointNames.MANIFEST)) == FileKind.ABSENT) {
            unfinished.add(path);
        }
    }

    private void lookAtShared(final LongFunction<Manifest> manifests) {
        final Path directory = folder.resolve(CheckpointNames.SHARED);
        if (files.kind(directory) == FileKind.ABSENT) {
            return;
        }
        for (final String name : files.list(directory)) {
            final long checkpointId = CheckpointNames.sharedBy(name);
            if (checkpointId > 0) {
                shared.add(CheckpointNames.SHARED + "/" + name, checkpointId);
            }
        }
        for (final long checkpointId : completed) {
            try {
                shared.need(checkpointId, sharedNames(manifests.apply(checkpointId)));
                shared.settled(checkpointId);
            } catch (final CorruptionException | SnapshotException e) {
                // Whoever wants this checkpoint hears of it; until it is deleted every file might be one of its own.
                shared.unreadable(checkpointId);
                unreadable.put(checkpointId, e.getMessage());
            }
        }
        segments = shared.giveUp(Long.MAX_VALUE).stream()
                .map(folder::resolve)
                .sorted()
                .toList();
    }

    static Set<String> sharedNames(final Manifest manifest) {
        final Set<String> names = new HashSet<>();
        manifest.tasks().forEach(task -> task.shared().forEach(segment -> names.add(segment.file())));
        return names;
    }

    /** Deletes what nobody needs, and makes durable what an earlier process renamed or created and did not force. */
    void run(final Consumer<Path> deleted) {
        for (final Path checkpoint : unfinished) {
            // Perhaps its deletion began, and the manifest is gone from the list but not yet from the disk.
            files.forceDirectory(checkpoint);
            Folders.delete(files, checkpoint);
            deleted.accept(checkpoint);
        }
        delete(temporaries, deleted);
        for (final long checkpointId : completed) {
            files.forceDirectory(folder.resolve(CheckpointNames.folder(checkpointId)));
        }
        files.forceDirectory(folder);
        delete(segments, deleted);
    }

    private void delete(final List<Path> paths, final Consumer<Path> deleted) {
        for (final Path path : paths) {
            files.delete(path);
            deleted.accept(path);
        }
    }

    /** The completed checkpoints. */
    Set<Long> completed() {
        return completed;
    }

    /** Why the manifests that can't be read can't, by checkpoint: while there are some all shared segments stay. */
    Map<Long, String> unreadable() {
        return unreadable;
    }

    /** Folders of checkpoints and savepoints that were never completed, or whose deletion began. */
    List<Path> unfinished() {
        return unfinished;
    }

    /** What a death left halfway to its name. */
    List<Path> temporaries() {
        return temporaries;
    }

    /** Shared segments that no manifest names. */
    List<Path> segments() {
        return segments;
    }
}
