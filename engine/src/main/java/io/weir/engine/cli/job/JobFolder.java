package io.weir.engine.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.engine.cli.file.FileTree;
import io.weir.engine.cli.file.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The folder of one job, claimed for this process until it is closed.
 *
 * <pre>
 *   DIR/job           what the job is: a line "name = value" for each value of its spec, and one with their checksum
 *   DIR/lock          held while a process works on it
 *   DIR/checkpoints/  the engine's
 *   DIR/windows/      results, a Chronicle Queue
 *   DIR/late/         records that came too late, a Chronicle Queue
 *   DIR/scratch/      gone when the job is not running
 *   DIR/finished      there once all input has been read and written
 * </pre>
 *
 * <p>The folder belongs to a job from its first checkpoint on, or once it has results: until then another job may have it.
 */
public final class JobFolder implements AutoCloseable {
    /** {@code checkpoints/JOB/chk-N/manifest}. */
    private static final int CHECKPOINT_DEPTH = 3;

    private static final String SEPARATOR = " = ";
    private static final String CHECKSUM = "checksum" + SEPARATOR;
    private static final Set<String> BEFORE_BEGIN = Set.of("lock", "scratch");

    private final Path path;
    private final JobSpec spec;
    private final FileChannel lockChannel;
    /** The highest folder that was made for this one, null if it was there. */
    private final Path made;

    private JobFolder(final Path path, final JobSpec spec, final FileChannel lockChannel, final Path made) {
        this.path = path;
        this.spec = spec;
        this.lockChannel = lockChannel;
        this.made = made;
    }

    /**
     * Makes or reopens the folder of a job.
     *
     * @param path of the folder.
     * @param spec of the job.
     * @return the folder.
     * @throws JobFolderException if it can't be used, is in use, or belongs to another job or other settings.
     */
    public static JobFolder open(final Path path, final JobSpec spec) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new JobFolderException(path + " is not a folder");
        }
        FileChannel lock = null;
        try {
            refuseForeign(path);
            final Path made = highestMissing(path);
            Files.createDirectories(path);
            lock = lock(path);
            final JobFolder folder = new JobFolder(path, spec, lock, made);
            if (Files.exists(folder.jobFile())) {
                folder.compareOrForget();
            }
            folder.clearScratch();
            return folder;
        } catch (final IOException e) {
            closeQuietly(lock, e);
            throw new JobFolderException(path + " can't be used: " + reason(e), e);
        } catch (final JobFolderException e) {
            closeQuietly(lock, e);
            throw e;
        }
    }

    /**
     * The folder.
     *
     * @return its path.
     */
    public Path path() {
        return path;
    }

    /**
     * Where checkpoints go.
     *
     * @return path of a folder.
     */
    public Path checkpoints() {
        return path.resolve("checkpoints");
    }

    /**
     * Asks whether there is a completed checkpoint, good or damaged.
     *
     * @return true if so.
     */
    public boolean hasCheckpoint() {
        return find(checkpoints(), name -> name.equals("manifest"), CHECKPOINT_DEPTH);
    }

    /**
     * Asks whether anything was ever written to a queue of this folder.
     *
     * @param queue {@link #windows()} or {@link #late()}.
     * @return true if it may have records.
     */
    public boolean holdsRecords(final Path queue) {
        return find(queue, name -> name.endsWith(".cq4"), 1);
    }

    /**
     * Where windows go.
     *
     * @return path of a Chronicle Queue.
     */
    public Path windows() {
        return path.resolve("windows");
    }

    /**
     * Where late records go.
     *
     * @return path of a Chronicle Queue.
     */
    public Path late() {
        return path.resolve("late");
    }

    /**
     * A place for files that only a running job needs.
     *
     * @return path of an empty folder.
     */
    public Path scratch() {
        return path.resolve("scratch");
    }

    /**
     * Remembers the job's spec, if the folder is new, before anything else is written to it.
     *
     * @throws JobFolderException if it can't be written.
     */
    public void begin() {
        if (Files.exists(jobFile())) {
            return;
        }
        final List<String> lines = new ArrayList<>();
        spec.values().forEach((name, value) -> lines.add(name + SEPARATOR + value));
        lines.add(CHECKSUM + checksumOf(lines));
        try {
            WholeFile.write(jobFile(), lines);
        } catch (final IOException e) {
            throw new JobFolderException(jobFile() + " can't be written: " + reason(e), e);
        }
    }

    /**
     * Asks whether the job has read and written everything.
     *
     * @return true once {@link #finish} was called.
     */
    public boolean isFinished() {
        return Files.exists(finishedFile());
    }

    /**
     * Remembers that the job has read and written everything.
     *
     * @param summary for people.
     */
    public void finish(final String summary) {
        try {
            WholeFile.write(finishedFile(), List.of(summary));
        } catch (final IOException e) {
            throw new JobFolderException(finishedFile() + " can't be written: " + reason(e), e);
        }
    }

    /**
     * What {@link #finish} was given.
     *
     * @return the summary.
     */
    public String summary() {
        try {
            return Files.readString(finishedFile(), UTF_8).strip();
        } catch (final IOException e) {
            throw new JobFolderException(finishedFile() + " can't be read: " + reason(e), e);
        }
    }

    /**
     * Empties the scratch folder and gives up the claim; a folder that was made for a job which never began goes too.
     * Idempotent.
     */
    @Override
    public void close() {
        try (lockChannel) {
            if (lockChannel.isOpen()) {
                FileTree.delete(scratch());
                if (made != null && !Files.exists(jobFile())) {
                    deleteMade();
                }
            }
        } catch (final IOException e) {
            throw new JobFolderException(path + " can't be cleaned up: " + reason(e), e);
        }
    }

    /** Only what is empty: somebody else may have put something there. */
    private void deleteMade() throws IOException {
        Files.deleteIfExists(path.resolve("lock"));
        try {
            for (Path at = path.toAbsolutePath(); at.startsWith(made); at = at.getParent()) {
                Files.deleteIfExists(at);
            }
        } catch (final DirectoryNotEmptyException e) {
            // Then it stays.
        }
    }

    private static Path highestMissing(final Path path) {
        Path missing = null;
        for (Path at = path.toAbsolutePath(); at != null && !Files.exists(at); at = at.getParent()) {
            missing = at;
        }
        return missing;
    }

    private static void refuseForeign(final Path path) throws IOException {
        if (!Files.isDirectory(path) || Files.exists(path.resolve("job"))) {
            return;
        }
        try (Stream<Path> entries = Files.list(path)) {
            final boolean isForeign = entries.map(entry -> entry.getFileName().toString())
                    .anyMatch(name -> !BEFORE_BEGIN.contains(name) && !name.startsWith("job."));
            if (isForeign) {
                throw new JobFolderException(
                        path + " is not empty and holds no job: give the job a folder of its own with --output");
            }
        }
    }

    private static FileChannel lock(final Path path) throws IOException {
        final FileChannel channel =
                FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            final FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (final OverlappingFileLockException e) {
            closeQuietly(channel, e);
            throw new JobFolderException(path + " is in use by this process", e);
        }
        channel.close();
        throw new JobFolderException(path + " is in use by another process");
    }

    private void compareOrForget() throws IOException {
        final String difference = difference();
        if (difference == null) {
            return;
        }
        if (isFinished() || hasCheckpoint() || holdsRecords(windows()) || holdsRecords(late())) {
            throw new JobFolderException(difference);
        }
        for (final Path left : List.of(checkpoints(), windows(), late(), jobFile())) {
            FileTree.delete(left);
        }
    }

    /** What the spec has otherwise than the folder's, null for nothing. */
    private String difference() throws IOException {
        final Map<String, String> kept = new LinkedHashMap<>();
        for (final String line : intactLines()) {
            final int at = line.indexOf(SEPARATOR);
            if (at < 0) {
                throw new JobFolderException(jobFile() + " is damaged: '" + line + "' is no setting");
            }
            kept.put(line.substring(0, at), line.substring(at + SEPARATOR.length()));
        }
        for (final Map.Entry<String, String> setting : spec.values().entrySet()) {
            final String name = setting.getKey();
            final String before = kept.get(name);
            if (!setting.getValue().equals(before)) {
                final boolean isInput = name.endsWith("of the input");
                return path + " belongs to a job with other " + (isInput ? "input" : "settings") + ": " + name + " was "
                        + (before == null ? "not set" : JobSpec.shown(before)) + " and is now "
                        + JobSpec.shown(setting.getValue()) + "; go on with the old " + (isInput ? "input" : "setting")
                        + " or choose another --output";
            }
        }
        return null;
    }

    /** The lines before the checksum. Bytes that are no text must not be an error of their own: the checksum tells. */
    private List<String> intactLines() throws IOException {
        final String text = new String(Files.readAllBytes(jobFile()), UTF_8);
        final List<String> lines = List.of(text.split("\n"));
        final int last = lines.size() - 1;
        if (!text.endsWith("\n") || last < 0 || !lines.get(last).startsWith(CHECKSUM)) {
            throw new JobFolderException(jobFile()
                    + " is damaged: it does not end with its checksum; put it back or choose another --output");
        }
        final String found = checksumOf(lines.subList(0, last));
        final String expected = lines.get(last).substring(CHECKSUM.length());
        if (!found.equals(expected)) {
            throw new JobFolderException(jobFile() + " is damaged: its lines have the checksum " + found + ", not "
                    + expected + "; put it back or choose another --output");
        }
        return lines.subList(0, last);
    }

    private static String checksumOf(final List<String> lines) {
        final CRC32C checksum = new CRC32C();
        for (final String line : lines) {
            checksum.update((line + '\n').getBytes(UTF_8));
        }
        return "crc32c " + HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    private static boolean find(final Path folder, final Predicate<String> name, final int depth) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        // The folder may be a link to another disk.
        try (Stream<Path> files = Files.find(
                folder,
                depth,
                (file, kind) -> name.test(file.getFileName().toString()),
                FileVisitOption.FOLLOW_LINKS)) {
            return files.findAny().isPresent();
        } catch (final IOException e) {
            throw new JobFolderException(folder + " can't be read: " + reason(e), e);
        } catch (final UncheckedIOException e) {
            throw new JobFolderException(folder + " can't be read: " + reason(e.getCause()), e);
        }
    }

    private void clearScratch() throws IOException {
        FileTree.delete(scratch());
        Files.createDirectories(scratch());
    }

    private Path jobFile() {
        return path.resolve("job");
    }

    private Path finishedFile() {
        return path.resolve("finished");
    }

    private static void closeQuietly(final FileChannel channel, final Exception error) {
        if (channel != null) {
            try {
                channel.close();
            } catch (final IOException e) {
                error.addSuppressed(e);
            }
        }
    }

    private static String reason(final IOException e) {
        return WholeFile.reason(e);
    }
}
