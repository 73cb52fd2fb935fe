package io.weir.engine.simulation;

import io.weir.engine.api.Restore;
import java.nio.file.Path;

/**
 * Where a job keeps its checkpoints and state, and what it began with there.
 *
 * @param checkpoints their folder.
 * @param restore that every process of it is started with.
 * @param hasPages whether keyed state lives in pages, else on the heap.
 */
record Home(Path checkpoints, Restore restore, boolean hasPages) {
    static Home first(final boolean hasPages) {
        return new Home(Path.of("/checkpoints"), Restore.newest(), hasPages);
    }
}
