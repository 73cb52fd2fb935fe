package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of a queue, and what lies in it beside Chronicle's own files.
 *
 * <pre>
 *   QUEUE/*.cq4, metadata.cq4t   Chronicle's
 *   QUEUE/weir/lock              held by the one process that may write
 *   QUEUE/weir/commits           the {@link CommitJournal}
 *   QUEUE/weir/staged/*.staged   records of transactions that are open or prepared
 * </pre>
 */
record QueueFolder(Path path) {
    static final String QUEUE_METADATA = "metadata.cq4t";

    Path lock() {
        return path.resolve("weir").resolve("lock");
    }

    Path journal() {
        return path.resolve("weir").resolve("commits");
    }

    Path staged(final String name) {
        return stagedFolder().resolve(name);
    }

    Path stagedFolder() {
        return path.resolve("weir").resolve("staged");
    }

    boolean holdsQueue() {
        return Files.exists(path.resolve(QUEUE_METADATA));
    }

    void create() {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new LogException(path + " is a file, not the folder of a queue");
        }
        try {
            Files.createDirectories(stagedFolder());
        } catch (final IOException ex) {
            throw new LogException(path + " can't be made the folder of a queue: " + ex, ex);
        }
    }

    /** The staging files of every writer, in no order. */
    List<Path> allStaged() {
        try (Stream<Path> files = Files.list(stagedFolder())) {
            return files.filter(file -> file.toString().endsWith(".staged")).toList();
        } catch (final IOException ex) {
            throw new LogException(stagedFolder() + " can't be listed: " + ex, ex);
        }
    }

    static void delete(final Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be deleted: " + ex, ex);
        }
    }

    /** Brings a file's bytes, or a folder's names, onto the disk. */
    static void force(final Path file) {
        final StandardOpenOption option = Files.isDirectory(file) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
        try (FileChannel channel = FileChannel.open(file, option)) {
            channel.force(true);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be forced: " + ex, ex);
        }
    }

    /** Puts a file that was written and forced in the place of another, durably. */
    static void replace(final Path file, final Path by) {
        try {
            Files.move(by, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be replaced: " + ex, ex);
        }
        force(file.getParent());
    }
}
