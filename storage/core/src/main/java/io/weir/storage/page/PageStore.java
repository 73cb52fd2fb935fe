package io.weir.storage.page;

import io.weir.storage.frame.AddressList;
import io.weir.storage.frame.FrameSlabs;
import io.weir.storage.frame.SlabSource;
import io.weir.storage.snapshot.CorruptionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The pages of one task, copied on write once an epoch.
 *
 * <p>A freeze ends an epoch: it hands over the list of the frames that were first written in it. From then on such a frame is
 * the snapshot's, until the snapshot is durable; who writes to the page before that gets a copy of it. Since a page's frame
 * changes with its first write in an epoch only, the list needs no lock and no second look: what a snapshot has to write is
 * on its own list, or on those of earlier snapshots that never became durable.
 *
 * <p>Task thread; only {@link FrozenPages} is handed to an I/O thread.
 */
final class PageStore implements AutoCloseable {
    private static final int THAW_SLICE = 64;

    /** Snapshots that came to nothing and can't be merged back while newer ones are under way. */
    private static final int MAX_ABANDONED = 4;

    private final FrameSlabs slabs;
    private final List<TableName> tables = new ArrayList<>();
    private final List<PageGroup[]> groups = new ArrayList<>();
    private final int firstKeyGroup;
    private final Durability durability = new Durability();
    private final AtomicInteger users = new AtomicInteger(1);
    private final ArrayDeque<FrozenPages> frozen = new ArrayDeque<>();
    private final Page thawed = new Page();
    private final Page live = new Page();
    private final PageCheck pageCheck = new PageCheck();
    private AddressList dirty = new AddressList();
    private long epoch = 1;
    private AddressList thawing;
    private List<TableName> frozenTables = List.of();
    private boolean closed;

    PageStore(final SlabSource memory, final int firstKeyGroup) {
        this.slabs = new FrameSlabs(memory);
        this.firstKeyGroup = firstKeyGroup;
    }

    FrameSlabs slabs() {
        return slabs;
    }

    long epoch() {
        return epoch;
    }

    /** Adds a table with the groups it will have; its index. */
    int addTable(final TableName table, final PageGroup[] tableGroups) {
        tables.add(table);
        groups.add(tableGroups);
        return tables.size() - 1;
    }

    /** Goes on with other attributes of a table; segments of later snapshots have them. */
    void renameTable(final int table, final TableName name) {
        tables.set(table, name);
        frozenTables = List.of();
    }

    String tableName(final int table) {
        return tables.get(table).section();
    }

    /** Whether a page of a checkpoint is the one that was asked for, and holds together. */
    void checkRestored(final Page page, final int end, final int table, final int keyGroup, final int number) {
        if (page.keyGroup() != keyGroup || page.number() != number) {
            throw new CorruptionException(tableName(table) + ": expected page " + number + " of key group " + keyGroup
                    + ", found page " + page.number() + " of key group " + page.keyGroup());
        }
        pageCheck.check(page, end, tableName(table));
    }

    /** The slow path of a write: the page's frame in this epoch. */
    long firstWrite(final Page page) {
        // Takes back first and looks then: what has become durable in between is taken back the next time.
        reclaim();
        final long written = page.epoch();
        if (written > durability.epochAcquire()) {
            copyOnWrite(page, written);
        }
        page.mask(0);
        page.epoch(epoch);
        dirty.add(page.address());
        return page.address();
    }

    private void copyOnWrite(final Page page, final long written) {
        final long frame = page.address();
        final long copy = slabs.allocate();
        Page.copy(frame, copy);
        snapshot(written).retire(frame);
        page.wrap(copy);
    }

    private FrozenPages snapshot(final long written) {
        for (final FrozenPages snapshot : frozen) {
            if (snapshot.epoch() == written) {
                return snapshot;
            }
        }
        throw new IllegalStateException("epoch " + written + " is neither durable nor frozen");
    }

    /** A frame for a page that was not there, on the dirty list. */
    long newPage(final Page view, final int table, final int keyGroup, final int number) {
        reclaim();
        view.wrap(slabs.allocate());
        view.identify(table, keyGroup, number);
        view.epoch(epoch);
        view.mask(Page.ALL_LINES);
        dirty.add(view.address());
        return view.address();
    }

    /** Takes back the frames of snapshots that have become durable. */
    private void reclaim() {
        final long durable = durability.epochAcquire();
        while (!frozen.isEmpty() && frozen.peekFirst().epoch() <= durable) {
            slabs.freeAll(frozen.removeFirst().retired());
        }
    }

    /** Ends the epoch. Copies nothing whose size depends on the state. */
    FrozenPages freeze() {
        reclaim();
        while (thaw()) {
            // Lists that no flush will take any more go into this snapshot.
        }
        if (frozenTables.size() != tables.size()) {
            frozenTables = List.copyOf(tables);
        }
        users.incrementAndGet();
        if (abandoned() >= MAX_ABANDONED) {
            // With one more list the copies of pages would grow as long as failures overlap, for hours on a full disk.
            return FrozenPages.refused(this::release);
        }
        final FrozenPages snapshot =
                new FrozenPages(epoch, dirty, frozen.peekLast(), frozenTables, durability, this::release);
        frozen.addLast(snapshot);
        dirty = new AddressList();
        epoch++;
        return snapshot;
    }

    private int abandoned() {
        int count = 0;
        for (final FrozenPages snapshot : frozen) {
            count += snapshot.isAbandoned() ? 1 : 0;
        }
        return count;
    }

    /** A slice of the work that may wait. */
    int doWork() {
        reclaim();
        return thaw() ? 1 : 0;
    }

    /**
     * Merges the lists of snapshots that came to nothing back into this epoch, so that their frames are not held for ever:
     * when the disk is full for hours there is one copy of a page, not one for each attempt. Says whether there was work.
     */
    private boolean thaw() {
        if (thawing == null) {
            if (frozen.isEmpty() || abandoned() < frozen.size()) {
                return false;
            }
            thawing = frozen.peekFirst().takeDirty();
        }
        for (int i = 0; i < THAW_SLICE && !thawing.isEmpty(); i++) {
            thaw(thawing.removeLast());
        }
        if (thawing.isEmpty()) {
            thawing = null;
            slabs.freeAll(frozen.removeFirst().retired());
        }
        return true;
    }

    private void thaw(final long frame) {
        thawed.wrap(frame);
        final long now = groups.get(thawed.table())[thawed.keyGroup() - firstKeyGroup].frame(thawed.number());
        if (now == frame) {
            thawed.epoch(epoch);
            dirty.add(frame);
        } else {
            live.wrap(now);
            live.mask(live.mask() | thawed.mask());
        }
    }

    /** Snapshots that are not durable yet. */
    int snapshotsInFlight() {
        reclaim();
        return frozen.size();
    }

    private void release() {
        if (users.decrementAndGet() == 0) {
            slabs.close();
        }
    }

    /** Frees the memory as soon as no snapshot holds any of it. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }
}
