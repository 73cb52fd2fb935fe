package io.weir.storage.page;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.frame.OffHeapSlabs;
import io.weir.storage.frame.ScratchFileSlabs;
import io.weir.storage.frame.SlabSource;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StoreContext;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Keyed state in off-heap pages: a freeze costs microseconds whatever the state's size, a snapshot writes the lines that
 * changed, a restore reads a page when it is first touched (DESIGN section 5). Immutable; any thread.
 */
public final class PagesStateBackend implements StateBackend {
    /** The name that manifests keep. */
    public static final String NAME = "pages";

    private static final double DEFAULT_MERGE_FACTOR = 1.0;

    private final PagesSettings settings;

    /** State in direct memory, which {@code -XX:MaxDirectMemorySize} bounds; flushes as fast as the disk takes them. */
    public PagesStateBackend() {
        this(new PagesSettings(null, DEFAULT_MERGE_FACTOR, 0, HashDirectory.MAX_DEPTH));
    }

    PagesStateBackend(final PagesSettings settings) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalStateException("state pages need a little-endian machine");
        }
        this.settings = settings;
    }

    /**
     * Holds the pages in a mapped file that the operating system pages in and out, so that state may exceed memory. The file's
     * space is allocated before it is used, and its name is gone as soon as it is open: nothing of it outlives the process.
     *
     * @param folder that is there, on a local disk.
     * @return a backend of this kind.
     */
    public PagesStateBackend scratchFolder(final Path folder) {
        return new PagesStateBackend(new PagesSettings(
                folder,
                settings.mergeFactor(),
                settings.maxBytesPerSecond(),
                settings.maxDepth(),
                settings.readsAhead()));
    }

    /**
     * Bounds what a task's snapshots take on disk: when the changes since the last full segment outgrow it by this factor, they
     * are merged with it. Less makes snapshots smaller and writes more.
     *
     * @param factor greater than 0; 1 by default.
     * @return a backend of this kind.
     */
    public PagesStateBackend mergeFactor(final double factor) {
        if (!(factor > 0)) {
            throw new IllegalArgumentException("mergeFactor=" + factor + " must be > 0");
        }
        return new PagesStateBackend(new PagesSettings(
                settings.scratchFolder(),
                factor,
                settings.maxBytesPerSecond(),
                settings.maxDepth(),
                settings.readsAhead()));
    }

    /**
     * Bounds how fast each task's snapshots are written, so that they leave the disk to others.
     *
     * @param bytesPerSecond greater than 0.
     * @return a backend of this kind.
     */
    public PagesStateBackend maxFlushBytesPerSecond(final long bytesPerSecond) {
        if (bytesPerSecond <= 0) {
            throw new IllegalArgumentException("maxFlushBytesPerSecond=" + bytesPerSecond + " must be > 0");
        }
        return new PagesStateBackend(new PagesSettings(
                settings.scratchFolder(),
                settings.mergeFactor(),
                bytesPerSecond,
                settings.maxDepth(),
                settings.readsAhead()));
    }

    /**
     * Starts no thread: a restored checkpoint is read by the task's thread, between records, which waits for the disk. For
     * simulation, where all runs on one thread.
     *
     * @return a backend of this kind.
     */
    public PagesStateBackend withoutThreads() {
        return new PagesStateBackend(new PagesSettings(
                settings.scratchFolder(),
                settings.mergeFactor(),
                settings.maxBytesPerSecond(),
                settings.maxDepth(),
                false));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public KeyedStateStore open(final StoreContext context) {
        return new PageStateStore(context, settings, memory());
    }

    private SlabSource memory() {
        return settings.scratchFolder() == null
                ? new OffHeapSlabs()
                : new ScratchFileSlabs(
                        new DiskFileStore(),
                        settings.scratchFolder().resolve("weir-state-" + UUID.randomUUID() + ".tmp"));
    }

    @Override
    public String toString() {
        return NAME + settings;
    }
}
