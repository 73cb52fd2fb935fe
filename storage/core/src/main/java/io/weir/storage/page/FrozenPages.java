package io.weir.storage.page;

import io.weir.storage.frame.AddressList;
import io.weir.storage.snapshot.SnapshotException;
import java.util.ArrayList;
import java.util.List;

/**
 * One snapshot's pages: the frames that were first written in its epoch, as they were at the freeze, and those of earlier
 * snapshots that are not durable. Made by the task thread; written and closed by an I/O thread, snapshots in the order of their
 * freezes; closed unwritten by any thread.
 */
final class FrozenPages implements AutoCloseable {
    private final long epoch;
    private final List<TableName> tables;
    private final Durability durability;
    private final Runnable onClose;
    private final AddressList retired = new AddressList();
    private AddressList dirty;
    private FrozenPages previous;
    private final boolean isRefused;
    private volatile boolean closed;

    FrozenPages(
            final long epoch,
            final AddressList dirty,
            final FrozenPages previous,
            final List<TableName> tables,
            final Durability durability,
            final Runnable onClose) {
        this.epoch = epoch;
        this.dirty = dirty;
        this.previous = previous;
        this.tables = tables;
        this.durability = durability;
        this.onClose = onClose;
        isRefused = dirty == null;
    }

    /**
     * A snapshot that can't be written: it holds nothing, and what it should hold stays with the running epoch.
     *
     * @param onClose runs once, when it is closed.
     */
    static FrozenPages refused(final Runnable onClose) {
        return new FrozenPages(0, null, null, List.of(), null, onClose);
    }

    long epoch() {
        return epoch;
    }

    /** The tables at the freeze, by their indices. */
    List<TableName> tables() {
        return tables;
    }

    /** Task thread: a frame that only this snapshot needs any more. */
    void retire(final long frame) {
        retired.add(frame);
    }

    AddressList retired() {
        return retired;
    }

    /** Task thread: whether nobody will write it any more, though it is not durable. */
    boolean isAbandoned() {
        return closed && durability.epochAcquire() < epoch;
    }

    /** Task thread, once it is abandoned. */
    AddressList takeDirty() {
        final AddressList taken = dirty;
        dirty = null;
        return taken;
    }

    /**
     * I/O thread: the frames to write, those of older epochs first.
     *
     * @throws SnapshotException if there were too many failed snapshots before this one.
     */
    long[] frames() {
        if (isRefused) {
            throw new SnapshotException(
                    "no snapshot of state pages: those before it failed one after another, each while the next was"
                            + " under way, and keep copies of pages until one is written or none is under way");
        }
        final List<FrozenPages> undurable = new ArrayList<>();
        long count = 0;
        for (FrozenPages snapshot = this; snapshot != null; snapshot = snapshot.previous) {
            if (snapshot.epoch <= durability.epochAcquire()) {
                break;
            }
            undurable.add(0, snapshot);
            count += snapshot.dirty.size();
        }
        final long[] frames = new long[Math.toIntExact(count)];
        int end = 0;
        for (final FrozenPages snapshot : undurable) {
            end = snapshot.dirty.copyTo(frames, end);
        }
        return frames;
    }

    /** I/O thread: everything in {@link #frames()} is on disk. */
    void durable() {
        previous = null;
        durability.epochRelease(epoch);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        onClose.run();
    }
}
