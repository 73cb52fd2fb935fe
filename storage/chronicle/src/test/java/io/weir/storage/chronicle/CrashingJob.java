package io.weir.storage.chronicle;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.DurableFile;
import io.weir.storage.log.TransactionalWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A small job in a process of its own that writes a known sequence of records to a queue, with two writers and checkpoints of
 * its own, and may be killed at any moment. Prints a line at each step of a commit.
 *
 * <p>Arguments: folder, and the step to halt at with how often it must have been reached ({@code none 0} for never). With
 * {@code hold N} it waits at its Nth step, whichever that is, for its end: that of its standard input, or a kill.
 */
public final class CrashingJob {
    static final int RECORDS = 1_200;
    /** The steps that come for each record. */
    static final int STEPS_PER_RECORD = 2;

    static final String HOLD = "hold";
    static final int WRITERS = 2;
    private static final int MAX_BATCH = 40;
    private static final int MAX_RECORD_LENGTH = 600;
    private static final long FIRST_MS = 1_700_000_000_000L;
    private static final long RECORD_MS = 1_000;

    private final Path folder;
    private final Path checkpoint;
    private final String haltStep;
    private int stepsUntilHalt;
    private long nowMs;

    private CrashingJob(final Path folder, final String haltStep, final int stepsUntilHalt) {
        this.folder = folder;
        this.checkpoint = folder.resolve("checkpoint");
        this.haltStep = haltStep;
        this.stepsUntilHalt = stepsUntilHalt;
    }

    /**
     * Runs the job to its end, or to where it is to halt.
     *
     * @param args folder, step, count.
     * @throws Exception if anything goes wrong.
     */
    public static void main(final String[] args) throws Exception {
        new CrashingJob(Path.of(args[0]), args[1], Integer.parseInt(args[2])).run();
    }

    static ChronicleQueueLog logIn(final Path folder) {
        return ChronicleQueueLog.at(folder.resolve("queue"))
                .rollCycle("FIVE_MINUTELY")
                .blockLength(1 << 20);
    }

    /** Record i, the same in every run. */
    static byte[] record(final int i) {
        final Random random = new Random(i);
        final byte[] record = new byte[4 + random.nextInt(MAX_RECORD_LENGTH)];
        random.nextBytes(record);
        ByteBuffer.wrap(record).putInt(0, i);
        return record;
    }

    private void run() throws Exception {
        final Checkpoint restored = Checkpoint.read(checkpoint);
        nowMs = FIRST_MS + restored.next() * RECORD_MS;
        final ChronicleQueueLog log = logIn(folder).observedBy(() -> nowMs, this::onStep);
        final List<TransactionalWriter> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            final TransactionalWriter writer = log.open("writer " + w, restored.attempt() + 1);
            writers.add(writer);
            final byte[] handle = restored.handles().get(w);
            writer.recover(handle.length == 0 ? List.of() : List.of(handle));
        }
        int next = restored.next();
        while (next < RECORDS) {
            final Random random = new Random(next);
            final List<byte[]> handles = new ArrayList<>();
            for (final TransactionalWriter writer : writers) {
                for (int left = random.nextInt(MAX_BATCH); left > 0 && next < RECORDS; left--) {
                    final byte[] record = record(next++);
                    writer.append(new UnsafeBuffer(record), 0, record.length);
                }
                final byte[] handle = writer.prepare(next);
                if (handle != null) {
                    writer.force(handle);
                }
                handles.add(handle == null ? new byte[0] : handle);
            }
            new Checkpoint(next, restored.attempt() + 1, handles).write(checkpoint);
            for (int w = 0; w < WRITERS; w++) {
                if (handles.get(w).length > 0) {
                    writers.get(w).commit(handles.get(w));
                }
            }
        }
        writers.forEach(TransactionalWriter::close);
    }

    /** Time goes on within a commit, so that some of them roll the queue. */
    private void onStep(final CommitProbe.Step step) {
        System.out.println(step);
        nowMs += step == CommitProbe.Step.RECORD_WRITTEN ? RECORD_MS : 0;
        final boolean holds = haltStep.equals(HOLD);
        if ((holds || step.name().equals(haltStep)) && --stepsUntilHalt == 0) {
            if (holds) {
                awaitEndOfInput();
            }
            Runtime.getRuntime().halt(1);
        }
    }

    private static void awaitEndOfInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What a completed checkpoint holds.
     *
     * @param next record to write.
     * @param attempt that wrote the checkpoint.
     * @param handles one for each writer, empty for none.
     */
    record Checkpoint(int next, long attempt, List<byte[]> handles) {
        static Checkpoint read(final Path file) throws Exception {
            if (!Files.exists(file)) {
                return new Checkpoint(0, 0, List.of(new byte[0], new byte[0]));
            }
            final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            final int next = bytes.getInt();
            final long attempt = bytes.getLong();
            final List<byte[]> handles = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                final byte[] handle = new byte[bytes.getInt()];
                bytes.get(handle);
                handles.add(handle);
            }
            return new Checkpoint(next, attempt, handles);
        }

        void write(final Path file) {
            final ByteBuffer bytes = ByteBuffer.allocate(4096).putInt(next).putLong(attempt);
            handles.forEach(handle -> bytes.putInt(handle.length).put(handle));
            DurableFile.replace(new DiskFileStore(), file, bytes.flip());
        }
    }
}
