package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentReader;

/** Makes keyed state stores: the service interface behind which heap, pages and others stand. */
public interface StateBackend {
    /**
     * Names the backend in errors and manifests.
     *
     * @return for example {@code heap}.
     */
    String name();

    /**
     * Opens an empty store for one task.
     *
     * @param maxParallelism number of key groups of the job.
     * @param firstKeyGroup the first key group the task owns.
     * @param endKeyGroup behind the last key group the task owns.
     * @return the store; fill it with {@link KeyedStateStore#restore(SegmentReader)} before use if there is a checkpoint.
     */
    KeyedStateStore open(int maxParallelism, int firstKeyGroup, int endKeyGroup);
}
