package io.weir.storage.page;

import java.nio.file.Path;

/**
 * How a backend of pages works.
 *
 * @param scratchFolder for the files that hold pages, null to hold them in direct memory.
 * @param mergeFactor how many times its base the changes of a chain may reach before they are merged.
 * @param maxBytesPerSecond that a flush writes, 0 for no limit.
 * @param maxDepth bits of a hash that pages are told apart by.
 * @param readsAhead whether a thread reads a restored checkpoint ahead of the task.
 */
record PagesSettings(Path scratchFolder, double mergeFactor, long maxBytesPerSecond, int maxDepth, boolean readsAhead) {
    PagesSettings(
            final Path scratchFolder, final double mergeFactor, final long maxBytesPerSecond, final int maxDepth) {
        this(scratchFolder, mergeFactor, maxBytesPerSecond, maxDepth, true);
    }
}
