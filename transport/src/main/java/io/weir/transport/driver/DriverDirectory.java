package io.weir.transport.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.IoUtil;

/**
 * Names the directories of embedded drivers after the process that owns them, and sweeps those of processes that died
 * without closing. The name is {@code weir-<pid namespace>-<pid>-<start of the process, epoch ms>-<random>}: a pid that
 * was given out again has another start, and the pids of another container are never judged.
 */
public final class DriverDirectory {
    private static final Pattern NAME = Pattern.compile("weir-(\\d+)-(\\d+)-(\\d+)-[0-9a-f]+");
    private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");
    private static final Path NAMESPACE_LINK = Path.of("/proc/self/ns/pid");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private DriverDirectory() {}

    /**
     * Deletes what dead processes left where drivers live by default. Each launch of a driver does it too; a parent that has seen its
     * child die can do it at once. May block.
     *
     * @return how many directories there were.
     * @throws UncheckedIOException if the folder can't be listed.
     */
    public static int sweepAbandoned() {
        return sweep(defaultParent());
    }

    /**
     * Finds what a process, alive or dead, has where drivers live by default.
     *
     * @param processId of it, as this process sees it.
     * @return paths of its drivers' directories.
     * @throws UncheckedIOException if the folder can't be listed.
     */
    public static List<Path> ofProcess(final long processId) {
        final String prefix = prefix(processId);
        final List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(defaultParent(), prefix + '*')) {
            entries.forEach(found::add);
        } catch (final IOException e) {
            throw new UncheckedIOException("can't list " + defaultParent(), e);
        }
        return found;
    }

    /** Shared memory where there is some, else the folder for temporary files. */
    static Path defaultParent() {
        return Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY)
                ? SHARED_MEMORY
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    static Path next(final Path parent) {
        final ProcessHandle self = ProcessHandle.current();
        final String random = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        return parent.resolve(prefix(self.pid()) + startMs(Optional.of(self)) + '-' + random);
    }

    /** Deletes the directories whose owner is dead; gives how many there were. */
    static int sweep(final Path parent) {
        int swept = 0;
        final long namespace = namespace();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, "weir-*")) {
            for (final Path entry : entries) {
                if (isAbandoned(entry, namespace)) {
                    IoUtil.delete(entry.toFile(), true);
                    swept++;
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("can't list " + parent + " for directories of earlier drivers", e);
        }
        return swept;
    }

    private static boolean isAbandoned(final Path entry, final long namespace) {
        final Matcher name = NAME.matcher(entry.getFileName().toString());
        if (!name.matches() || !Files.isDirectory(entry)) {
            return false;
        }
        try {
            return Long.parseLong(name.group(1)) == namespace
                    && startMs(ProcessHandle.of(Long.parseLong(name.group(2)))) != Long.parseLong(name.group(3));
        } catch (final NumberFormatException notOurs) {
            return false;
        }
    }

    /** The start of a process; -1 for one that does not run, 0 where the system does not tell. */
    private static long startMs(final Optional<ProcessHandle> process) {
        if (process.isEmpty() || !process.get().isAlive()) {
            return -1;
        }
        return process.get().info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String prefix(final long processId) {
        return "weir-" + namespace() + '-' + processId + '-';
    }

    private static long namespace() {
        try {
            final Matcher link =
                    NAMESPACE.matcher(Files.readSymbolicLink(NAMESPACE_LINK).toString());
            return link.matches() ? Long.parseLong(link.group(1)) : 0;
        } catch (final IOException | UnsupportedOperationException noNamespaces) {
            return 0;
        }
    }
}
