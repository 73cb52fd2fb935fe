package io.weir.storage.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Manifests as bytes, version 2: an envelope ({@link FieldWriter}) around the fields
 *
 * <pre>
 *   job name (string), checkpoint id (8), attempt (8), trigger time ms (8), max parallelism (4),
 *   state backend (string), tasks (4), and per task
 *     vertex uid (string), operators (4), per operator its uid (string),
 *     subtask (4), parallelism (4), finished 0 or 1 (4), segments 0 or 1 (4), and per segment
 *       file (string), length (8), checksum (4), entries (8)
 *     shared segments (4), and per shared segment the same
 * </pre>
 *
 * Version 1 can still be read.
 */
public final class ManifestCodec {
    /** The version that is written. */
    public static final int VERSION = 2;

    // "WEIRMANI" read as a little-endian long.
    private static final long MAGIC = 0x494E414D52494557L;
    private static final int MIN_STRING_LENGTH = Integer.BYTES;
    private static final int MIN_TASK_LENGTH = 2 * MIN_STRING_LENGTH + 5 * Integer.BYTES;
    private static final int MIN_SEGMENT_LENGTH = MIN_STRING_LENGTH + 2 * Long.BYTES + Integer.BYTES;

    private ManifestCodec() {}

    /**
     * Writes a manifest.
     *
     * @param manifest to write.
     * @return its bytes.
     * @throws IllegalArgumentException if the manifest can't be right, such as subtask 3 of 2.
     */
    public static byte[] encode(final Manifest manifest) {
        final String fault = fault(manifest);
        if (fault != null) {
            throw new IllegalArgumentException("manifest of checkpoint " + manifest.checkpointId() + ": " + fault);
        }
        final FieldWriter out = new FieldWriter();
        out.putString(manifest.jobName());
        out.putLong(manifest.checkpointId());
        out.putLong(manifest.attempt());
        out.putLong(manifest.triggerTimeMs());
        out.putInt(manifest.maxParallelism());
        out.putString(manifest.stateBackend());
        out.putInt(manifest.tasks().size());
        manifest.tasks().forEach(task -> encode(out, task));
        return out.seal(MAGIC, VERSION);
    }

    private static void encode(final FieldWriter out, final Manifest.TaskPart task) {
        out.putString(task.vertexUid());
        out.putInt(task.operatorUids().size());
        task.operatorUids().forEach(out::putString);
        out.putInt(task.subtask());
        out.putInt(task.parallelism());
        out.putInt(task.finished() ? 1 : 0);
        final SegmentHandle segment = task.segment();
        out.putInt(segment == null ? 0 : 1);
        if (segment != null) {
            encode(out, segment);
        }
        out.putInt(task.shared().size());
        task.shared().forEach(shared -> encode(out, shared));
    }

    private static void encode(final FieldWriter out, final SegmentHandle segment) {
        out.putString(segment.file());
        out.putLong(segment.length());
        out.putInt(segment.checksum());
        out.putLong(segment.entries());
    }

    /**
     * Reads a manifest.
     *
     * @param name of the file, for errors.
     * @param bytes of the whole file.
     * @return the manifest.
     * @throws CorruptionException if the bytes are not what {@link #encode} wrote.
     */
    public static Manifest decode(final String name, final byte[] bytes) {
        final FieldReader in = FieldReader.open(name, bytes, MAGIC);
        final Manifest manifest = switch (in.version()) {
            case VERSION -> read(name, in);
            case ManifestReader1.VERSION -> ManifestReader1.read(name, in);
            default ->
                throw Corruption.at(name, FieldWriter.VERSION_OFFSET, "version 1 or " + VERSION, "" + in.version());
        };
        final String fault = fault(manifest);
        if (fault != null) {
            throw Corruption.at(name, FieldWriter.FIELDS_OFFSET, "a manifest that fits together", fault);
        }
        return manifest;
    }

    private static Manifest read(final String name, final FieldReader in) {
        final String jobName = in.getString();
        final long checkpointId = in.getLong();
        final long attempt = in.getLong();
        final long triggerTimeMs = in.getLong();
        final int maxParallelism = in.getInt();
        final String stateBackend = in.getString();
        final int count = in.getCount(MIN_TASK_LENGTH);
        final List<Manifest.TaskPart> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tasks.add(decodeTask(name, in));
        }
        in.end();
        return new Manifest(jobName, checkpointId, attempt, triggerTimeMs, maxParallelism, stateBackend, tasks);
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
        final SegmentHandle segment = flag(name, "segments", in.getInt()) ? decodeSegment(in) : null;
        final int sharedCount = in.getCount(MIN_SEGMENT_LENGTH);
        final List<SegmentHandle> shared = new ArrayList<>(sharedCount);
        for (int i = 0; i < sharedCount; i++) {
            shared.add(decodeSegment(in));
        }
        return new Manifest.TaskPart(vertexUid, operatorUids, subtask, parallelism, finished, segment, shared);
    }

    private static SegmentHandle decodeSegment(final FieldReader in) {
        return new SegmentHandle(in.getString(), in.getLong(), in.getInt(), in.getLong());
    }

    private static boolean flag(final String name, final String what, final int value) {
        if (value != 0 && value != 1) {
            throw Corruption.at(name, FieldWriter.FIELDS_OFFSET, what + " 0 or 1", "" + value);
        }
        return value == 1;
    }

    private static String fault(final Manifest manifest) {
        if (manifest.jobName().isBlank()) {
            return "no job name";
        }
        if (manifest.checkpointId() < 1) {
            return "checkpoint id " + manifest.checkpointId();
        }
        if (manifest.maxParallelism() < 1) {
            return "max parallelism " + manifest.maxParallelism();
        }
        if (manifest.stateBackend().isBlank()) {
            return "no state backend";
        }
        final Map<String, SegmentHandle> shared = new HashMap<>();
        for (final Manifest.TaskPart task : manifest.tasks()) {
            final String fault = fault(task, shared);
            if (fault != null) {
                return task.vertexUid() + " has " + fault;
            }
        }
        return null;
    }

    private static String fault(final Manifest.TaskPart task, final Map<String, SegmentHandle> shared) {
        if (task.subtask() < 0 || task.subtask() >= task.parallelism()) {
            return "subtask " + task.subtask() + " of " + task.parallelism();
        }
        if (task.segment() != null && isNegative(task.segment())) {
            return task.segment().toString();
        }
        final Set<String> files = new HashSet<>();
        for (final SegmentHandle segment : task.shared()) {
            if (isNegative(segment)) {
                return segment.toString();
            }
            if (!files.add(segment.file())) {
                return segment.file() + " twice";
            }
            final SegmentHandle other = shared.putIfAbsent(segment.file(), segment);
            if (other != null && !other.equals(segment)) {
                return segment + ", another task has " + other;
            }
        }
        return null;
    }

    private static boolean isNegative(final SegmentHandle segment) {
        return segment.length() < 0 || segment.entries() < 0;
    }
}
