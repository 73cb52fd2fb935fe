package io.weir.storage.page;

import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.StateSegments;
import java.nio.file.Path;

/** Segments in memory on a disk that fails when it is told to. */
final class FailingSegments {
    private final StateSegments segments = new StateSegments();
    private int failures;
    private String failingSuffix;

    StateSegments segments() {
        return segments;
    }

    /** Lets no file of a kind be made from now on; null lets all be. */
    void failAt(final String suffix) {
        failingSuffix = suffix;
    }

    /** Writes a frozen state while the disk fails; nothing to write does not need the disk. */
    void failToWrite(final FrozenState frozen) {
        failures = 1;
        try {
            segments.writeOwn(frozen);
        } catch (final SnapshotException expected) {
            frozen.close();
        } finally {
            failures = 0;
        }
    }

    SharedSegments shared() {
        final SharedSegments healthy = segments.shared();
        return new SharedSegments() {
            @Override
            public FileStore files() {
                return healthy.files();
            }

            @Override
            public Location create(final long checkpointId, final String suffix) {
                if (failures > 0 || suffix.equals(failingSuffix)) {
                    throw new SnapshotException("the disk fails as it was told");
                }
                return healthy.create(checkpointId, suffix);
            }

            @Override
            public Location createOwn(final long checkpointId, final String suffix) {
                if (failures > 0) {
                    throw new SnapshotException("the disk fails as it was told");
                }
                return healthy.createOwn(checkpointId, suffix);
            }

            @Override
            public Path path(final SegmentHandle handle) {
                return healthy.path(handle);
            }
        };
    }
}
