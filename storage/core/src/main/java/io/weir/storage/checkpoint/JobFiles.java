package io.weir.storage.checkpoint;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.FieldReader;
import io.weir.storage.snapshot.FieldWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The small files of a job's folder, each in the envelope of {@link FieldWriter}, version 1:
 *
 * <pre>
 *   job        the job's name (string); written once, after the counters
 *   counters   the last attempt that was drawn (8), the end of the checkpoint ids that were drawn (8)
 *   adopted    where the job's state came from, see {@link Adoptions}; once there was a source
 *   lock       empty; claimed by the process that has the store open
 * </pre>
 */
final class JobFiles {
    static final String LOCK = "lock";
    static final String JOB = "job";
    static final String COUNTERS = "counters";
    static final String ADOPTED = "adopted";
    private static final int VERSION = 1;
    // "WEIR-JOB" and "WEIRCNTR" read as little-endian longs.
    private static final long JOB_MAGIC = 0x424F4A2D52494557L;
    private static final long COUNTERS_MAGIC = 0x52544E4352494557L;
    private static final int MAX_LENGTH = 64 * 1024;

    private final FileStore files;
    private final Path folder;

    JobFiles(final FileStore files, final Path folder) {
        this.files = files;
        this.folder = folder;
    }

    /** Compares the folder's owner with the job; makes the files in a new folder. */
    void claimFor(final String jobName) {
        final Path job = folder.resolve(JOB);
        if (files.kind(job) == FileKind.ABSENT) {
            checkNew();
            writeCounters(new Counters(0, 1));
            replace(JOB, new FieldWriter().putString(jobName).seal(JOB_MAGIC, VERSION));
            return;
        }
        final String owner = owner();
        if (!owner.equals(jobName)) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " belongs to job '" + owner + "', not to job '" + jobName + "'");
        }
    }

    /** The name of the job that has the folder. */
    String owner() {
        final FieldReader in = read(folder.resolve(JOB), JOB_MAGIC, VERSION, MAX_LENGTH);
        final String owner = in.getString();
        in.end();
        return owner;
    }

    private void checkNew() {
        final List<String> strangers = files.list(folder).stream()
                .filter(name -> !name.equals(LOCK) && !name.equals(COUNTERS) && !name.endsWith(DurableFile.TEMPORARY))
                .toList();
        if (!strangers.isEmpty()) {
            throw new CheckpointStorageException("checkpoint folder " + folder + " has no file '" + JOB + "' but holds "
                    + strangers + ": it is not a job's folder, or was damaged");
        }
    }

    Counters readCounters() {
        final FieldReader in = read(folder.resolve(COUNTERS), COUNTERS_MAGIC, VERSION, MAX_LENGTH);
        final Counters counters = new Counters(in.getLong(), in.getLong());
        in.end();
        return counters;
    }

    void writeCounters(final Counters counters) {
        replace(
                COUNTERS,
                new FieldWriter()
                        .putLong(counters.attempt())
                        .putLong(counters.endCheckpointId())
                        .seal(COUNTERS_MAGIC, VERSION));
    }

    Path path(final String name) {
        return folder.resolve(name);
    }

    void replace(final String name, final byte[] bytes) {
        DurableFile.replace(files, folder.resolve(name), ByteBuffer.wrap(bytes));
    }

    /** The fields of a file, null if it is missing. */
    FieldReader readIfThere(final String name, final long magic, final int version, final int maxLength) {
        final Path file = folder.resolve(name);
        return files.kind(file) == FileKind.ABSENT ? null : read(file, magic, version, maxLength);
    }

    private FieldReader read(final Path file, final long magic, final int version, final int maxLength) {
        try {
            return FieldReader.open(file.toString(), DurableFile.read(files, file, maxLength), magic, version);
        } catch (final CorruptionException e) {
            throw new CheckpointStorageException("checkpoint folder " + folder + " is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * What was drawn.
     *
     * @param attempt the last one drawn, 0 before the first.
     * @param endCheckpointId behind the last checkpoint id drawn.
     */
    record Counters(long attempt, long endCheckpointId) {}
}
