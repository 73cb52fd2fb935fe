package io.weir.storage.state;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Segments in memory, for tests that snapshot and restore state. */
public final class StateSegments {
    private final MemoryFileStore files = new MemoryFileStore();
    private int count;

    /**
     * Writes a frozen state and closes it.
     *
     * @param frozen to write.
     * @return its segment.
     */
    public SegmentHandle write(final FrozenState frozen) {
        try (frozen) {
            return write(frozen::writeTo);
        }
    }

    /**
     * Writes a segment.
     *
     * @param content puts sections and entries into it.
     * @return the segment.
     */
    public SegmentHandle write(final Consumer<SegmentWriter> content) {
        final String name = "segment-" + count++;
        try (SegmentWriter writer = SegmentFiles.create(files, Path.of("/", name), name)) {
            content.accept(writer);
            return writer.finish();
        }
    }

    /**
     * Opens a segment.
     *
     * @param handle of the segment.
     * @return its reader.
     */
    public SegmentReader open(final SegmentHandle handle) {
        return SegmentFiles.open(files, Path.of("/", handle.file()), handle);
    }

    /**
     * Fills a store from segments, one after another.
     *
     * @param store to fill.
     * @param handles of the segments.
     */
    public void restore(final KeyedStateStore store, final List<SegmentHandle> handles) {
        for (final SegmentHandle handle : handles) {
            try (SegmentReader reader = open(handle)) {
                store.restore(reader);
            }
        }
    }
}
