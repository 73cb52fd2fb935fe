package io.weir.storage.checkpoint;

import io.weir.storage.snapshot.FieldReader;
import io.weir.storage.snapshot.FieldWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a job's folder has adopted, newest last, so that a restart with the same arguments does not adopt it again. Kept in the file
 * {@code adopted} in the envelope of {@link FieldWriter}, version 1:
 *
 * <pre>
 *   sources (4), and per source
 *     path (string), job name (string), checkpoint id (8), CRC-32C of its manifest's bytes (4), step (4)
 * </pre>
 *
 * The step is 0, 1 or 2, see below. Guarded by its owner; may block.
 */
final class Adoptions {
    /** An adoption has begun: it counts only if the checkpoint is there. */
    static final int INTENDED = 0;

    /** The checkpoint is there. */
    static final int DONE = 1;

    /** The source is being deleted, or is gone. */
    static final int CLAIMED = 2;

    private static final int REMEMBERED = 256;
    // "WEIRADOP" read as a little-endian long.
    private static final long MAGIC = 0x504F444152494557L;
    private static final int VERSION = 1;
    private static final int MAX_LENGTH = 4 * 1024 * 1024;
    private static final int MIN_SOURCE_LENGTH = 4 * Integer.BYTES + Long.BYTES;

    private final JobFiles jobFiles;
    private List<Adopted> adopted = List.of();

    Adoptions(final JobFiles jobFiles) {
        this.jobFiles = jobFiles;
    }

    /**
     * One source.
     *
     * @param path where it was.
     * @param jobName in its manifest.
     * @param checkpointId in its manifest.
     * @param checksum of its manifest's bytes.
     * @param step that its adoption has come to.
     */
    record Adopted(String path, String jobName, long checkpointId, int checksum, int step) {
        boolean isSameAs(final Adopted other) {
            return checkpointId == other.checkpointId && checksum == other.checksum && jobName.equals(other.jobName);
        }

        Adopted step(final int next) {
            return new Adopted(path, jobName, checkpointId, checksum, next);
        }
    }

    /** Reads the file. */
    void recover() {
        final FieldReader in = jobFiles.readIfThere(JobFiles.ADOPTED, MAGIC, VERSION, MAX_LENGTH);
        if (in == null) {
            return;
        }
        final int count = in.getCount(MIN_SOURCE_LENGTH);
        final List<Adopted> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            final String path = in.getString();
            final String jobName = in.getString();
            final long checkpointId = in.getLong();
            final int checksum = in.getInt();
            final int step = in.getInt();
            if (step < INTENDED || step > CLAIMED) {
                throw new CheckpointStorageException(jobFiles.path(JobFiles.ADOPTED) + " is damaged: step " + step);
            }
            read.add(new Adopted(path, jobName, checkpointId, checksum, step));
        }
        in.end();
        adopted = read;
    }

    /** An adoption that was intended has been done if its checkpoint is there; else it never was. */
    void resolve(final Collection<Long> completed) {
        if (adopted.stream().allMatch(each -> each.step() != INTENDED)) {
            return;
        }
        final List<Adopted> next = new ArrayList<>(adopted);
        next.removeIf(each -> each.step() == INTENDED && !completed.contains(each.checkpointId()));
        next.replaceAll(each -> each.step() == INTENDED ? each.step(DONE) : each);
        write(next);
    }

    /** Durably takes down how far an adoption has come. */
    void put(final Adopted source) {
        final List<Adopted> next = new ArrayList<>(adopted);
        next.removeIf(each -> source.isSameAs(each) && source.path().equals(each.path()));
        next.add(source);
        if (next.size() > REMEMBERED) {
            next.remove(0);
        }
        write(next);
    }

    /** Whether the same source was adopted, from wherever. */
    boolean has(final Adopted source) {
        return adopted.stream().anyMatch(source::isSameAs);
    }

    /** Whether a checkpoint that is there was adopted. */
    boolean has(final long checkpointId) {
        return adopted.stream().anyMatch(each -> each.checkpointId() == checkpointId);
    }

    /** The newest adoption from a path, null if there was none. */
    Adopted findAt(final String path) {
        Adopted found = null;
        for (final Adopted each : adopted) {
            found = each.path().equals(path) ? each : found;
        }
        return found;
    }

    private void write(final List<Adopted> next) {
        final FieldWriter out = new FieldWriter().putInt(next.size());
        for (final Adopted each : next) {
            out.putString(each.path()).putString(each.jobName());
            out.putLong(each.checkpointId());
            out.putInt(each.checksum()).putInt(each.step());
        }
        jobFiles.replace(JobFiles.ADOPTED, out.seal(MAGIC, VERSION));
        adopted = next;
    }
}
