package io.weir.storage.state;

import io.weir.storage.snapshot.SharedSegments;
import java.util.Objects;

/**
 * What a store of one task is opened with.
 *
 * @param maxParallelism number of key groups of the job.
 * @param firstKeyGroup the first key group the task owns.
 * @param endKeyGroup behind the last key group the task owns.
 * @param shared where the task keeps segments that several checkpoints rest on.
 */
public record StoreContext(int maxParallelism, int firstKeyGroup, int endKeyGroup, SharedSegments shared) {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the key groups do not lie in [0, maxParallelism).
     */
    public StoreContext {
        if (firstKeyGroup < 0 || firstKeyGroup > endKeyGroup || endKeyGroup > maxParallelism) {
            throw new IllegalArgumentException("key groups [" + firstKeyGroup + ", " + endKeyGroup
                    + ") must lie in [0, maxParallelism=" + maxParallelism + ")");
        }
        Objects.requireNonNull(shared, "shared");
    }
}
