package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.snapshot.SnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The heap's tables with snapshots in shared segments: each holds what has changed since the last one that was written, and now
 * and then one holds all. Small above all; it knows what is open, for tests that look for leaks.
 */
public final class DeltaStateBackend implements StateBackend {
    private static final int MAX_CHAIN = 4;

    private final LongPredicate failsToWrite;
    private final StateBackend heap = new HeapStateBackend();
    private final AtomicInteger openStores = new AtomicInteger();
    private final AtomicInteger openFrozen = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();

    /** A backend whose disk never fails. */
    public DeltaStateBackend() {
        this(checkpointId -> false);
    }

    /**
     * A backend whose disk fails now and then.
     *
     * @param failsToWrite asked in the middle of each segment with the checkpoint's id; any I/O thread.
     */
    public DeltaStateBackend(final LongPredicate failsToWrite) {
        this.failsToWrite = failsToWrite;
    }

    @Override
    public String name() {
        return "delta";
    }

    @Override
    public KeyedStateStore open(final StoreContext context) {
        openStores.incrementAndGet();
        return new Store(context);
    }

    /**
     * Stores that are not closed.
     *
     * @return their number.
     */
    public int openStores() {
        return openStores.get();
    }

    /**
     * Frozen states that are not closed.
     *
     * @return their number.
     */
    public int openFrozen() {
        return openFrozen.get();
    }

    /**
     * How often a store was used against the rules: a frozen state closed twice or during its write, written out of order or
     * twice, or alive when its store was closed.
     *
     * @return 0 if never.
     */
    public int faults() {
        return faults.get();
    }

    private void require(final boolean kept) {
        if (!kept) {
            faults.incrementAndGet();
        }
    }

    private final class Store implements KeyedStateStore {
        private final StoreContext context;
        private final KeyedStateStore tables;
        private final List<SegmentHandle> chain = new ArrayList<>();
        private final AtomicInteger frozenHere = new AtomicInteger();
        private DeltaImage written = new DeltaImage();
        private long freezes;
        private volatile long lastWritten;
        private boolean isMixed;
        private boolean closed;

        Store(final StoreContext context) {
            this.context = context;
            tables = heap.open(context);
        }

        @Override
        public ValueTable valueTable(final StateDescriptor descriptor) {
            return tables.valueTable(descriptor);
        }

        @Override
        public TimerTable timerTable(final String name, final String keyCodec) {
            return tables.timerTable(name, keyCodec);
        }

        @Override
        public FrozenState freeze() {
            final FrozenState all = tables.freeze();
            openFrozen.incrementAndGet();
            frozenHere.incrementAndGet();
            return new Frozen(this, all, ++freezes);
        }

        @Override
        public void restore(final SegmentReader segment, final Predicate<String> accepted) {
            tables.restore(segment, accepted);
        }

        @Override
        public void restoreShared(
                final List<SegmentHandle> segments,
                final int firstKeyGroup,
                final int endKeyGroup,
                final Predicate<String> accepted) {
            isMixed |= !chain.isEmpty() && !segments.isEmpty();
            final DeltaImage part = new DeltaImage();
            for (final SegmentHandle handle : segments) {
                try (SegmentReader reader = SegmentFiles.open(
                        context.shared().files(), context.shared().path(handle), handle)) {
                    part.apply(reader, firstKeyGroup, endKeyGroup);
                }
                if (!chain.contains(handle)) {
                    chain.add(handle);
                }
            }
            isMixed |= part.retain(accepted);
            tables.restore(part);
            written.addAll(part);
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public List<String> unclaimed() {
            return tables.unclaimed();
        }

        @Override
        public void dropUnclaimed() {
            tables.dropUnclaimed();
            isMixed |= !chain.isEmpty();
        }

        @Override
        public long entryCount() {
            return tables.entryCount();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                require(frozenHere.get() == 0);
                openStores.decrementAndGet();
            }
            tables.close();
        }

        private SegmentHandle writeOwn(final long checkpointId, final DeltaImage now) {
            final SharedSegments.Location location = context.shared().createOwn(checkpointId, "base");
            try (SegmentWriter writer = SegmentFiles.create(location.files(), location.path(), location.name())) {
                now.writeChanges(new DeltaImage(), writer);
                return writer.finish();
            }
        }

        private List<SegmentHandle> write(final long checkpointId, final DeltaImage now) {
            final boolean whole =
                    isMixed || chain.isEmpty() || chain.size() >= MAX_CHAIN || !now.hasAttributesOf(written);
            final SharedSegments.Location location = context.shared().create(checkpointId, whole ? "base" : "delta");
            final SegmentHandle handle;
            try (SegmentWriter writer =
                    SegmentFiles.create(context.shared().files(), location.path(), location.name())) {
                now.writeChanges(whole ? new DeltaImage() : written, writer);
                if (failsToWrite.test(checkpointId)) {
                    throw new SnapshotException("planned failure of " + location.name());
                }
                handle = writer.finish();
            }
            if (whole) {
                chain.clear();
                isMixed = false;
            }
            chain.add(handle);
            written = now;
            return List.copyOf(chain);
        }
    }

    private final class Frozen implements FrozenState {
        private final Store store;
        private final FrozenState all;
        private final long freeze;
        private volatile boolean writing;
        private boolean closed;

        Frozen(final Store store, final FrozenState all, final long freeze) {
            this.store = store;
            this.all = all;
            this.freeze = freeze;
        }

        @Override
        public List<SegmentHandle> writeTo(final long checkpointId, final SegmentWriter own) {
            require(freeze > store.lastWritten && !store.closed);
            store.lastWritten = freeze;
            writing = true;
            try {
                final DeltaImage now = new DeltaImage();
                all.writeCanonical(checkpointId, now);
                return store.write(checkpointId, now);
            } finally {
                writing = false;
            }
        }

        @Override
        public void writeCanonical(final long checkpointId, final SegmentWriter own) {
            all.writeCanonical(checkpointId, own);
        }

        @Override
        public List<SegmentHandle> writeNative(final long checkpointId, final SegmentWriter own) {
            final DeltaImage now = new DeltaImage();
            all.writeCanonical(checkpointId, now);
            return List.of(store.writeOwn(checkpointId, now));
        }

        @Override
        public void close() {
            all.close();
            if (closed) {
                require(false);
                return;
            }
            require(!writing);
            closed = true;
            store.frozenHere.decrementAndGet();
            openFrozen.decrementAndGet();
        }
    }
}
