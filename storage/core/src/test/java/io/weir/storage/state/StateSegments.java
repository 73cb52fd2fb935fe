package io.weir.storage.state;

import io.weir.storage.file.FileStore;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Segments in memory, for tests that snapshot and restore state. */
public final class StateSegments {
    private final MemoryFileStore files = new MemoryFileStore();
    private int count;
    private long checkpointId;

    /**
     * Writes a frozen state in canonical form and closes it.
     *
     * @param frozen to write.
     * @return its segment.
     */
    public SegmentHandle write(final FrozenState frozen) {
        try (frozen) {
            return write(own -> frozen.writeCanonical(++checkpointId, own));
        }
    }

    /**
     * Writes the frozen state of a store that owns all key groups in its backend's own form and closes it.
     *
     * @param frozen to write.
     * @return what a checkpoint holds of it.
     */
    public Part writeOwn(final FrozenState frozen) {
        return writeOwn(frozen, 0, KeyGroups.UPPER_BOUND_MAX_PARALLELISM);
    }

    /**
     * Writes a frozen state in its backend's own form and closes it.
     *
     * @param frozen to write.
     * @param firstKeyGroup of the store's.
     * @param endKeyGroup behind the last of the store's.
     * @return what a checkpoint holds of it.
     */
    public Part writeOwn(final FrozenState frozen, final int firstKeyGroup, final int endKeyGroup) {
        final List<SegmentHandle> chain = new ArrayList<>();
        try (frozen) {
            final SegmentHandle own = write(segment -> chain.addAll(frozen.writeTo(++checkpointId, segment)));
            return new Part(own, List.copyOf(chain), firstKeyGroup, endKeyGroup);
        }
    }

    /**
     * Writes a frozen state for a native savepoint and closes it.
     *
     * @param frozen to write.
     * @param firstKeyGroup of the store's.
     * @param endKeyGroup behind the last of the store's.
     * @return what the savepoint holds of it.
     */
    public Part writeNative(final FrozenState frozen, final int firstKeyGroup, final int endKeyGroup) {
        final List<SegmentHandle> files = new ArrayList<>();
        try (frozen) {
            final SegmentHandle own = write(segment -> files.addAll(frozen.writeNative(++checkpointId, segment)));
            return new Part(own, List.copyOf(files), firstKeyGroup, endKeyGroup);
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

    /**
     * Fills a store from parts of a checkpoint, one after another.
     *
     * @param store to fill.
     * @param parts of the checkpoint.
     */
    public void restoreParts(final KeyedStateStore store, final List<Part> parts) {
        for (final Part part : parts) {
            store.restoreShared(part.shared(), part.firstKeyGroup(), part.endKeyGroup());
            restore(store, List.of(part.own()));
        }
    }

    /**
     * Where one store keeps its shared segments.
     *
     * @return a place of its own.
     */
    public SharedSegments shared() {
        final String store = "store-" + count++;
        return new SharedSegments() {
            @Override
            public FileStore files() {
                return files;
            }

            @Override
            public Location create(final long ofCheckpoint, final String suffix) {
                final String name = ofCheckpoint + "-" + store + "-" + suffix + ".pages";
                return new Location(files, Path.of("/", name), name);
            }

            @Override
            public Location createOwn(final long ofCheckpoint, final String suffix) {
                return create(ofCheckpoint, "own-" + suffix);
            }

            @Override
            public Path path(final SegmentHandle handle) {
                return Path.of("/", handle.file());
            }
        };
    }

    /**
     * What a checkpoint holds of one store.
     *
     * @param own segment.
     * @param shared segments, oldest first.
     * @param firstKeyGroup of the store's.
     * @param endKeyGroup behind the last of the store's.
     */
    public record Part(SegmentHandle own, List<SegmentHandle> shared, int firstKeyGroup, int endKeyGroup) {}
}
