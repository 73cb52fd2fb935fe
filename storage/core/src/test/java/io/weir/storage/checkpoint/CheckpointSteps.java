package io.weir.storage.checkpoint;

import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
                .forEach(segment -> tasks.add(
                        new Manifest.TaskPart("map", List.of("map"), tasks.size(), segments.length, false, segment)));
        return new Manifest(job, id, 1, 1_000 + id, 128, tasks);
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
