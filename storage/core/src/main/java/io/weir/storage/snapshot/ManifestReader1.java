package io.weir.storage.snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads manifests of version 1, which knew no shared segments and no state backend but the heap:
 *
 * <pre>
 *   job name (string), checkpoint id (8), attempt (8), trigger time ms (8), max parallelism (4), tasks (4), and per task
 *     vertex uid (string), operators (4), per operator its uid (string),
 *     subtask (4), parallelism (4), finished 0 or 1 (4), segments 0 or 1 (4), and per segment
 *       file (string), length (8), checksum (4), entries (8)
 * </pre>
 */
final class ManifestReader1 {
    static final int VERSION = 1;

    private static final String STATE_BACKEND = "heap";
    private static final int MIN_STRING_LENGTH = Integer.BYTES;
    private static final int MIN_TASK_LENGTH = 2 * MIN_STRING_LENGTH + 4 * Integer.BYTES;

    private ManifestReader1() {}

    static Manifest read(final String name, final FieldReader in) {
        final String jobName = in.getString();
        final long checkpointId = in.getLong();
        final long attempt = in.getLong();
        final long triggerTimeMs = in.getLong();
        final int maxParallelism = in.getInt();
        final int count = in.getCount(MIN_TASK_LENGTH);
        final List<Manifest.TaskPart> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tasks.add(decodeTask(name, in));
        }
        in.end();
        return new Manifest(jobName, checkpointId, attempt, triggerTimeMs, maxParallelism, STATE_BACKEND, tasks);
    }

    private static Manifest.TaskPart decodeTask(final String name, final FieldReader in) {
        final String vertexUid = in.getString();
        final int count = in.getCount(MIN_STRING_LENGTH);
        final List<String> operatorUids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            operatorUids.add(in.getString());
        }
        final int subtask = in.getInt();
        final int parallelism = in.getInt();
        final boolean finished = flag(name, "finished", in.getInt());
        final SegmentHandle segment = flag(name, "segments", in.getInt())
                ? new SegmentHandle(in.getString(), in.getLong(), in.getInt(), in.getLong())
                : null;
        return new Manifest.TaskPart(vertexUid, operatorUids, subtask, parallelism, finished, segment, List.of());
    }

    private static boolean flag(final String name, final String what, final int value) {
        if (value != 0 && value != 1) {
            throw Corruption.at(name, FieldWriter.FIELDS_OFFSET, what + " 0 or 1", "" + value);
        }
        return value == 1;
    }
}
