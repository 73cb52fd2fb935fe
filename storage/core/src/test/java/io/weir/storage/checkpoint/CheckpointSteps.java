package io.weir.storage.checkpoint;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.OpenFile;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** What a job does with its store, in few words. */
final class CheckpointSteps {
    private static final String SECTION = "value/text";

    private CheckpointSteps() {}

    /** Writes a segment with one text. */
    static SegmentHandle write(final CheckpointStore store, final long id, final String task, final String text) {
        try (SegmentWriter writer = store.createSegment(id, task)) {
            final UnsafeBuffer bytes = new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
            writer.beginSection(SECTION, "");
            writer.entry(0, bytes, 0, bytes.capacity());
            return writer.finish();
        }
    }

    static Manifest manifest(final String job, final long id, final SegmentHandle... segments) {
        final List<Manifest.TaskPart> tasks = new ArrayList<>();
        Arrays.stream(segments)
                .forEach(segment -> tasks.add(new Manifest.TaskPart(
                        "map", List.of("map"), tasks.size(), segments.length, false, segment, List.of())));
        return new Manifest(job, id, 1, 1_000 + id, 128, "heap", tasks);
    }

    /** A manifest whose tasks rest on shared segments only. */
    @SafeVarargs
    static Manifest manifest(final String job, final long id, final List<SegmentHandle>... chains) {
        final List<Manifest.TaskPart> tasks = new ArrayList<>();
        for (final List<SegmentHandle> chain : chains) {
            tasks.add(new Manifest.TaskPart("map", List.of("map"), tasks.size(), chains.length, false, null, chain));
        }
        return new Manifest(job, id, 1, 1_000 + id, 128, "pages", tasks);
    }

    /** The manifest with a chain of shared segments for each of its tasks. */
    static Manifest with(final Manifest manifest, final List<List<SegmentHandle>> chains) {
        final List<Manifest.TaskPart> tasks = new ArrayList<>();
        for (final Manifest.TaskPart task : manifest.tasks()) {
            tasks.add(new Manifest.TaskPart(
                    task.vertexUid(),
                    task.operatorUids(),
                    task.subtask(),
                    task.parallelism(),
                    task.finished(),
                    task.segment(),
                    chains.get(tasks.size())));
        }
        return new Manifest(
                manifest.jobName(),
                manifest.checkpointId(),
                manifest.attempt(),
                manifest.triggerTimeMs(),
                manifest.maxParallelism(),
                "pages",
                tasks);
    }

    /** Writes a shared segment that holds its own name. */
    static SegmentHandle writeShared(final CheckpointStore store, final long id, final String task) {
        return write(store.shared(task).create(id, "x"));
    }

    /** Writes a savepoint's own file that holds its own name. */
    static SegmentHandle writeOwn(final CheckpointStore store, final long id, final String task) {
        return write(store.shared(task).createOwn(id, "x"));
    }

    private static SegmentHandle write(final SharedSegments.Location location) {
        final byte[] bytes = location.name().getBytes(StandardCharsets.UTF_8);
        try (OpenFile file = location.files().create(location.path())) {
            file.write(0, ByteBuffer.wrap(bytes));
            file.force();
        }
        return new SegmentHandle(location.name(), bytes.length, checksum(bytes), 1);
    }

    private static int checksum(final byte[] bytes) {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    /** Whether a shared segment is there, and whole. */
    static boolean isThere(final CheckpointStore store, final SegmentHandle handle) {
        final SharedSegments shared = store.shared("reader");
        final Path path = shared.path(handle);
        if (shared.files().kind(path) != FileKind.FILE) {
            return false;
        }
        final byte[] bytes = DurableFile.read(shared.files(), path, 1000);
        return bytes.length == handle.length() && checksum(bytes) == handle.checksum();
    }

    /** Takes a savepoint that has begun, of two tasks, both with the same text and a file of pages. */
    static Manifest takeSavepoint(final CheckpointStore store, final String job, final long id, final String text) {
        final Manifest manifest = with(
                manifest(job, id, write(store, id, "task-0", text), write(store, id, "task-1", text)),
                List.of(List.of(writeOwn(store, id, "task-0")), List.of(writeOwn(store, id, "task-1"))));
        store.publish(manifest);
        return manifest;
    }

    /** Takes a checkpoint of two tasks, both with the same text. */
    static Manifest take(final CheckpointStore store, final String job, final long id, final String text) {
        final Manifest manifest = manifest(job, id, write(store, id, "task-0", text), write(store, id, "task-1", text));
        store.publish(manifest);
        return manifest;
    }

    static String text(final CheckpointStore store, final SegmentHandle handle) {
        final StringBuilder text = new StringBuilder();
        try (SegmentReader reader = store.openSegment(handle)) {
            reader.forEach(
                    SECTION,
                    (keyGroup, buffer, offset, length) ->
                            text.append(buffer.getStringWithoutLengthUtf8(offset, length)));
        }
        return text.toString();
    }

    /** The text of a checkpoint whose tasks all agree on it. */
    static String text(final CheckpointStore store, final Manifest manifest) {
        final List<String> texts = manifest.tasks().stream()
                .map(task -> text(store, task.segment()))
                .distinct()
                .toList();
        if (texts.size() != 1) {
            throw new AssertionError("checkpoint " + manifest.checkpointId() + " holds " + texts);
        }
        return texts.get(0);
    }
}
