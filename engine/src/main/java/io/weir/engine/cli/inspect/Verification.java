package io.weir.engine.cli.inspect;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.inspect.CheckpointInspection;
import io.weir.storage.inspect.InspectedFile;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads every byte of checkpoints, and tells of each whether it is sound, a line at a time. */
public final class Verification {
    private final PrintWriter out;
    private int sound;
    private int damaged;

    /**
     * Nothing is verified yet.
     *
     * @param out takes the lines.
     */
    public Verification(final PrintWriter out) {
        this.out = out;
    }

    /**
     * Reads all checkpoints of a job, and the savepoints in its folder.
     *
     * @param job its folder.
     */
    public void verifyAll(final CheckpointFolder job) {
        out.println("folder    " + job.path());
        job.checkpoints().forEach(id -> verify(job, id));
        job.savepoints().forEach(savepoint -> verify(savepoint, savepoint.only()));
    }

    /**
     * Reads one checkpoint. If it vanishes meanwhile, or is not completed, that is told and is no damage.
     *
     * @param job its folder, or the savepoint's.
     * @param id of the checkpoint.
     */
    public void verify(final CheckpointFolder job, final long id) {
        if (!job.isCompleted(id)) {
            say(job.isThere(id) ? "pending" : "gone", job, id, job.isThere(id) ? "not completed" : "deleted meanwhile");
            return;
        }
        try (CheckpointInspection inspection = CheckpointInspection.open(job, id)) {
            final List<String> damages = inspection.damages();
            final Map<String, Long> files = new HashMap<>();
            inspection.tasks().stream()
                    .flatMap(task -> Stream.concat(Stream.ofNullable(task.segment()), task.chain().stream()))
                    .forEach((final InspectedFile file) -> files.put(file.name(), file.bytes()));
            final String read = "manifest and " + files.size() + " files of "
                    + files.values().stream().mapToLong(Long::longValue).sum() + " bytes";
            if (damages.isEmpty()) {
                sound++;
                say("sound", job, id, read);
            } else {
                damaged++;
                say("damaged", job, id, read);
                damages.forEach(damage -> out.println("damage    " + damage));
            }
        } catch (final CheckpointStorageException e) {
            if (job.isCompleted(id)) {
                throw e;
            }
            say("gone", job, id, "deleted meanwhile");
        }
    }

    private void say(final String status, final CheckpointFolder job, final long id, final String what) {
        final String name = job.isSavepoint() ? job.path().getFileName().toString() : "chk-" + id;
        out.println(status + " ".repeat(10 - status.length()) + name + "  " + what);
        out.flush();
    }

    /**
     * How many were sound.
     *
     * @return of all that were read so far.
     */
    public int sound() {
        return sound;
    }

    /**
     * How many were damaged.
     *
     * @return of all that were read so far.
     */
    public int damaged() {
        return damaged;
    }
}
