package io.weir.storage.chronicle;

import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.log.LogException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * The folder of a queue, and what lies in it beside Chronicle's own files.
 *
 * <pre>
 *   QUEUE/*.cq4, metadata.cq4t   Chronicle's
 *   QUEUE/weir/lock              held by the one process that may write
 *   QUEUE/weir/commits           the {@link CommitJournal}
 *   QUEUE/weir/staged/*.staged   records of transactions that are open or prepared
 * </pre>
 *
 * @param files the disk.
 * @param path of the queue.
 */
record QueueFolder(FileStore files, Path path) {
    private static final String STAGED = ".staged";

    Path metadata() {
        return path.resolve(QueueOptions.METADATA);
    }

    Path journal() {
        return path.resolve("weir").resolve("commits");
    }

    Path staged(final String name) {
        return stagedFolder().resolve(name + STAGED);
    }

    Path stagedFolder() {
        return path.resolve("weir").resolve("staged");
    }

    boolean holdsQueue() {
        return files.kind(metadata()) == FileKind.FILE;
    }

    /** The files that hold records, sorted by name. */
    List<Path> cycles() {
        if (files.kind(path) != FileKind.DIRECTORY) {
            return List.of();
        }
        return files.list(path).stream()
                .filter(name -> name.endsWith(".cq4"))
                .map(path::resolve)
                .toList();
    }

    boolean exists(final Path file) {
        return files.kind(file) == FileKind.FILE;
    }

    /** Makes what a claim needs. */
    void create() {
        createFolder(path.toAbsolutePath());
        createFolder(path.resolve("weir"));
    }

    /** Call it once the journal is there: {@link #requireJournal} takes the folder for a sign that it was. */
    void createStaged() {
        createFolder(stagedFolder());
    }

    /**
     * Without the journal nobody knows what of a transaction is in the queue already.
     *
     * @throws LogException if transactions were staged and the journal is gone.
     */
    void requireJournal() {
        if (files.kind(stagedFolder()) != FileKind.ABSENT && !exists(journal())) {
            throw new LogException(journal() + " is missing: what was committed to the queue is unknown; put it back");
        }
    }

    /**
     * Becomes the one writer of the queue. The operating system takes the lock back when the process ends, however it ends.
     *
     * @throws LogException if somebody else is.
     */
    FileClaim claim() {
        final Path lock = path.resolve("weir").resolve("lock");
        final FileClaim claim = files.tryClaim(lock);
        if (claim == null) {
            throw new LogException(lock + " is locked: another process, or another log object of this one, writes");
        }
        return claim;
    }

    /** The staging files of every writer, sorted by name. */
    List<Path> allStaged() {
        if (files.kind(stagedFolder()) == FileKind.ABSENT) {
            return List.of();
        }
        return files.list(stagedFolder()).stream()
                .filter(name -> name.endsWith(STAGED))
                .map(stagedFolder()::resolve)
                .toList();
    }

    /** Does what uses the disk; its errors come as this log's. */
    void guard(final Runnable action) {
        guarded(() -> {
            action.run();
            return null;
        });
    }

    /** Gets what uses the disk; its errors come as this log's. */
    <T> T guarded(final Supplier<T> action) {
        try {
            return action.get();
        } catch (final FileException ex) {
            throw new LogException(path + ": " + ex.getMessage(), ex);
        }
    }

    /** Creates the folder and those above it that are missing. */
    private void createFolder(final Path folder) {
        final FileKind kind = files.kind(folder);
        if (kind == FileKind.ABSENT) {
            if (folder.getParent() != null) {
                createFolder(folder.getParent());
            }
            files.createDirectory(folder);
        } else if (kind != FileKind.DIRECTORY) {
            throw new FileException(folder + " is not a folder");
        }
    }
}
