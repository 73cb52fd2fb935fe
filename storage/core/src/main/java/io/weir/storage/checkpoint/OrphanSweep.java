package io.weir.storage.checkpoint;

import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What no completed checkpoint of a job needs: the same that opening its store sweeps, listed and deleted on its own. Claims the
 * folder until it is closed, so that no job uses it meanwhile. One thread; may block.
 */
public final class OrphanSweep implements AutoCloseable {
    private final FileStore files;
    private final Path folder;
    private final FileClaim claim;
    private final FolderSweep sweep;
    private final List<Orphan> orphans;

    private OrphanSweep(final FileStore files, final Path folder, final FileClaim claim) {
        this.files = files;
        this.folder = folder;
        this.claim = claim;
        final String jobName = new JobFiles(files, folder).owner();
        sweep = FolderSweep.look(
                files, folder, new SharedFiles(), id -> FileCheckpointStore.load(files, folder, jobName, id));
        orphans = new ArrayList<>();
        sweep.unfinished().forEach(path -> add(unfinished(path), path));
        sweep.temporaries().forEach(path -> add(OrphanKind.TEMPORARY, path));
        sweep.segments().forEach(path -> add(OrphanKind.SHARED, path));
    }

    /**
     * Claims a job's folder and looks what nobody needs. Deletes nothing yet.
     *
     * @param job its folder.
     * @return the sweep; close it.
     * @throws CheckpointStorageException if a process uses the folder, or it can't be read; the message names it.
     */
    public static OrphanSweep claim(final CheckpointFolder job) {
        FileClaim claim = null;
        try {
            claim = FileCheckpointStore.claim(job.files(), job.path());
            return new OrphanSweep(job.files(), job.path(), claim);
        } catch (final FileException e) {
            throw FileCheckpointStore.closing(claim, unusable(job.path(), e));
        } catch (final RuntimeException e) {
            throw FileCheckpointStore.closing(claim, e);
        }
    }

    private static CheckpointStorageException unusable(final Path folder, final FileException e) {
        return new CheckpointStorageException("checkpoint folder " + folder + " can't be used: " + e.getMessage(), e);
    }

    private static OrphanKind unfinished(final Path path) {
        return CheckpointNames.checkpointId(path.getFileName().toString()) > 0
                ? OrphanKind.CHECKPOINT
                : OrphanKind.SAVEPOINT;
    }

    private void add(final OrphanKind kind, final Path path) {
        orphans.add(new Orphan(kind, path, bytes(path)));
    }

    private long bytes(final Path path) {
        switch (files.kind(path)) {
            case FILE -> {
                try (OpenFile file = files.openReadOnly(path)) {
                    return file.size();
                }
            }
            case DIRECTORY -> {
                long bytes = 0;
                for (final String name : files.list(path)) {
                    bytes += bytes(path.resolve(name));
                }
                return bytes;
            }
            default -> {
                return 0;
            }
        }
    }

    /**
     * What nobody needs.
     *
     * @return in the order of their deletion.
     */
    public List<Orphan> orphans() {
        return List.copyOf(orphans);
    }

    /**
     * Why shared segments are not among the orphans though no manifest that can be read may name them: manifests that can't be read.
     *
     * @return a reason for each such manifest; empty if all can be read.
     */
    public List<String> unreadable() {
        return List.copyOf(sweep.unreadable().values());
    }

    /**
     * Deletes the orphans. Killed halfway, the rest is found again.
     *
     * @param deleted told of each, once it is gone.
     * @throws CheckpointStorageException if the disk fails; what was told of is gone.
     */
    public void delete(final Consumer<Orphan> deleted) {
        final Map<Path, Orphan> byPath = new HashMap<>();
        orphans.forEach(orphan -> byPath.put(orphan.path(), orphan));
        try {
            sweep.run(path -> deleted.accept(byPath.get(path)));
        } catch (final FileException e) {
            throw unusable(folder, e);
        }
    }

    /** Gives up the claim. Idempotent. */
    @Override
    public void close() {
        claim.close();
    }

    /** What an orphan is. */
    public enum OrphanKind {
        /** The folder of a checkpoint that was never completed, or whose deletion began. */
        CHECKPOINT,
        /** The folder of a savepoint in the job's folder that was never completed, or whose deletion began. */
        SAVEPOINT,
        /** A file that a death left halfway to its name. */
        TEMPORARY,
        /** A shared segment that no manifest names. */
        SHARED
    }

    /**
     * Something that nobody needs.
     *
     * @param kind what it is.
     * @param path of the file or folder.
     * @param bytes of the file, or of all files in the folder.
     */
    public record Orphan(OrphanKind kind, Path path, long bytes) {}
}
