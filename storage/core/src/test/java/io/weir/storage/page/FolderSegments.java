package io.weir.storage.page;

import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.StoreContext;
import java.nio.file.Path;
import java.util.List;

/** Shared segments in one folder of a disk. */
record FolderSegments(FileStore files, Path folder) implements SharedSegments {
    FolderSegments(final FileStore files) {
        this(files, Path.of("/"));
    }

    @Override
    public Location create(final long checkpointId, final String suffix) {
        final String name = checkpointId + "-" + suffix;
        return new Location(files, folder.resolve(name), name);
    }

    @Override
    public Location createOwn(final long checkpointId, final String suffix) {
        return create(checkpointId, "own-" + suffix);
    }

    @Override
    public Path path(final SegmentHandle handle) {
        return folder.resolve(handle.file());
    }

    /** The context of a store that owns all key groups. */
    StoreContext context(final int keyGroups) {
        return new StoreContext(keyGroups, 0, keyGroups, this);
    }

    /** Writes a frozen state, closes it whether that went well or not, and tells the chain it left. */
    static List<SegmentHandle> write(final long checkpointId, final FrozenState frozen) {
        try (frozen) {
            return frozen.writeTo(checkpointId, null);
        }
    }
}
