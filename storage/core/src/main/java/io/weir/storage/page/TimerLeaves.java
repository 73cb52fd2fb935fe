package io.weir.storage.page;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.state.TimerTable;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The timers of one key group in order: pages of timers, and in memory the order of the pages with the time each begins with.
 * Pages name that time themselves, so the order needs no place in a snapshot. No page is empty. Task thread.
 */
final class TimerLeaves {
    private static final int FIRST_CAPACITY = 4;

    private final PageGroup pages;
    private final Workspace workspace;
    private int[] leaves = new int[FIRST_CAPACITY];
    private long[] firstTimes = new long[FIRST_CAPACITY];
    private int leafCount;
    private long size;
    private int foundIndex;
    private boolean found;

    TimerLeaves(final PageGroup pages, final Workspace workspace) {
        this.pages = pages;
        this.workspace = workspace;
    }

    /** Finds the order of restored pages. */
    void restore(final String table) {
        final UnsafeBuffer line = new UnsafeBuffer(new byte[Page.LENGTH]);
        final Page header = new Page();
        final Integer[] order = new Integer[pages.end()];
        final long[] times = new long[pages.end()];
        int count = 0;
        for (int number = 0; number < pages.end(); number++) {
            if (!pages.isAbsent(number)) {
                continue;
            }
            pages.readRestoredHeader(number, header, line);
            if (header.kind() == Page.TIMERS) {
                if (header.count() <= 0) {
                    throw new CorruptionException(
                            table + ", key group " + pages.keyGroup() + ": page " + number + " has no timers");
                }
                times[number] = header.firstTime();
                size += header.count();
                order[count++] = number;
            }
        }
        Arrays.sort(order, 0, count, (a, b) -> {
            final int byTime = Long.compare(times[a], times[b]);
            return byTime != 0 ? byTime : compareFirstKeys(a, b);
        });
        leafCount = count;
        leaves = new int[Math.max(FIRST_CAPACITY, count)];
        firstTimes = new long[leaves.length];
        for (int i = 0; i < count; i++) {
            leaves[i] = order[i];
            firstTimes[i] = times[order[i]];
        }
    }

    private int compareFirstKeys(final int a, final int b) {
        final Page page = pages.read(a, workspace.page);
        final int entry = TimerPage.entry(page, 0);
        final int length = TimerPage.keyLength(page, entry);
        final UnsafeBuffer key = workspace.copyOfKey(pages, page, entry);
        return -compareKey(pages.read(b, workspace.other), 0, key, 0, length);
    }

    long size() {
        return size;
    }

    /** Visits all timers in order. */
    void forEach(final TimerTable.Handler visitor) {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        for (int leaf = 0; leaf < leafCount; leaf++) {
            final Page page = pages.read(leaves[leaf], workspace.page);
            for (int index = 0; index < page.count(); index++) {
                final int entry = TimerPage.entry(page, index);
                key.wrap(workspace.copyOfKey(pages, page, entry), 0, TimerPage.keyLength(page, entry));
                visitor.onTimer(pages.keyGroup(), TimerPage.time(page, entry), key);
            }
        }
    }

    /** The time of the first timer; there is one. */
    long firstTime() {
        return firstTimes[0];
    }

    int keyGroup() {
        return pages.keyGroup();
    }

    boolean isEmpty() {
        return leafCount == 0;
    }

    /** Copies the key of the first timer; there is one. Its length. */
    int copyFirstKey() {
        final Page page = pages.read(leaves[0], workspace.page);
        final int entry = TimerPage.entry(page, 0);
        workspace.copyOfKey(pages, page, entry);
        return TimerPage.keyLength(page, entry);
    }

    /** Compares the key of the first timer with one. */
    int compareFirstKey(final DirectBuffer key, final int offset, final int length) {
        return compareKey(pages.read(leaves[0], workspace.page), 0, key, offset, length);
    }

    void removeFirst() {
        removeAt(0, pages.read(leaves[0], workspace.page), 0);
    }

    boolean set(final long time, final DirectBuffer key, final int offset, final int length) {
        if (leafCount == 0) {
            final int number = pages.allocate(workspace.page);
            TimerPage.init(workspace.page);
            insertLeaf(0, number, time);
            add(workspace.page, 0, time, key, offset, length);
            return true;
        }
        final int leaf = find(time, key, offset, length);
        if (found) {
            return false;
        }
        insert(leaf, foundIndex, time, key, offset, length);
        return true;
    }

    boolean cancel(final long time, final DirectBuffer key, final int offset, final int length) {
        if (leafCount == 0) {
            return false;
        }
        final int leaf = find(time, key, offset, length);
        if (!found) {
            return false;
        }
        removeAt(leaf, workspace.page, foundIndex);
        return true;
    }

    /** The leaf that a timer is or belongs in, which {@code workspace.page} then shows; sets found and foundIndex. */
    private int find(final long time, final DirectBuffer key, final int offset, final int length) {
        int low = 0;
        int high = leafCount - 1;
        // The last leaf that begins at or before the timer, the first one if there is none.
        while (low < high) {
            final int middle = (low + high + 1) >>> 1;
            if (compareFirst(middle, time, key, offset, length) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        final Page page = pages.read(leaves[low], workspace.page);
        int from = 0;
        int to = page.count();
        found = false;
        while (from < to && !found) {
            final int middle = (from + to) >>> 1;
            final int order = compare(page, middle, time, key, offset, length);
            if (order < 0) {
                from = middle + 1;
            } else if (order > 0) {
                to = middle;
            } else {
                found = true;
                from = middle;
            }
        }
        foundIndex = from;
        return low;
    }

    private int compareFirst(
            final int leaf, final long time, final DirectBuffer key, final int offset, final int length) {
        final int byTime = Long.compare(firstTimes[leaf], time);
        return byTime != 0 ? byTime : compareKey(pages.read(leaves[leaf], workspace.page), 0, key, offset, length);
    }

    private int compare(
            final Page page,
            final int index,
            final long time,
            final DirectBuffer key,
            final int offset,
            final int length) {
        final int byTime = Long.compare(TimerPage.time(page, TimerPage.entry(page, index)), time);
        return byTime != 0 ? byTime : compareKey(page, index, key, offset, length);
    }

    private int compareKey(
            final Page page, final int index, final DirectBuffer key, final int offset, final int length) {
        final int entry = TimerPage.entry(page, index);
        final int entryKeyLength = TimerPage.keyLength(page, entry);
        if (TimerPage.isLarge(page, entry)) {
            final UnsafeBuffer copy = workspace.large(entryKeyLength);
            workspace.overflow.read(pages, TimerPage.firstOverflowPage(page, entry), 0, copy, entryKeyLength);
            return KeyBytes.compare(copy, 0, entryKeyLength, key, offset, length);
        }
        return KeyBytes.compare(page.buffer(), TimerPage.keyOffset(entry), entryKeyLength, key, offset, length);
    }

    /** Adds a timer at an index of the leaf that {@code workspace.page} shows. */
    private void insert(
            final int leaf,
            final int index,
            final long time,
            final DirectBuffer key,
            final int offset,
            final int length) {
        final Page page = workspace.page;
        final int needed = TimerPage.entryLength(length);
        if (TimerPage.hasRoom(page, needed)) {
            pages.write(leaves[leaf], page);
        } else if (TimerPage.hasRoomIfRebuilt(page, needed)) {
            pages.write(leaves[leaf], page);
            rebuild(page);
        } else if (index == page.count()) {
            // Timers mostly come in order: full pages stay full behind them.
            final int added = pages.allocate(page);
            TimerPage.init(page);
            insertLeaf(leaf + 1, added, time);
            add(page, 0, time, key, offset, length);
            return;
        } else {
            split(leaf);
            set(time, key, offset, length);
            return;
        }
        if (index == 0) {
            firstTimes[leaf] = time;
        }
        add(page, index, time, key, offset, length);
    }

    private void add(
            final Page page,
            final int index,
            final long time,
            final DirectBuffer key,
            final int offset,
            final int length) {
        size++;
        final int entryLength = TimerPage.entryLength(length);
        if (length <= TimerPage.MAX_KEY_LENGTH) {
            TimerPage.key(page, TimerPage.add(page, index, time, entryLength), key, offset, length);
            return;
        }
        final int first = workspace.overflow.add(pages, key, offset, length, key, offset, 0);
        TimerPage.largeKey(page, TimerPage.add(page, index, time, entryLength), first, length);
    }

    private void rebuild(final Page page) {
        final Page old = workspace.copyOf(page);
        TimerPage.init(page);
        TimerPage.append(old, 0, old.count(), page);
    }

    private void split(final int leaf) {
        final Page page = workspace.page;
        final int added = pages.allocate(workspace.other);
        pages.write(leaves[leaf], page);
        final Page old = workspace.copyOf(page);
        final int half = old.count() / 2;
        TimerPage.init(page);
        TimerPage.init(workspace.other);
        TimerPage.append(old, 0, half, page);
        TimerPage.append(old, half, old.count(), workspace.other);
        insertLeaf(leaf + 1, added, workspace.other.firstTime());
    }

    private void removeAt(final int leaf, final Page page, final int index) {
        pages.write(leaves[leaf], page);
        final int entry = TimerPage.entry(page, index);
        final int overflow = TimerPage.isLarge(page, entry) ? TimerPage.firstOverflowPage(page, entry) : Page.NO_PAGE;
        TimerPage.remove(page, index);
        size--;
        if (page.count() == 0) {
            pages.release(leaves[leaf], page);
            removeLeaf(leaf);
        } else {
            firstTimes[leaf] = page.firstTime();
            mergeIfSparse(leaf, page);
        }
        if (overflow != Page.NO_PAGE) {
            workspace.overflow.remove(pages, overflow);
        }
    }

    private void mergeIfSparse(final int leaf, final Page page) {
        if (leaf + 1 == leafCount || !TimerPage.isSparse(page)) {
            return;
        }
        final Page next = pages.read(leaves[leaf + 1], workspace.other);
        if (!TimerPage.canMerge(page, next)) {
            return;
        }
        rebuild(page);
        TimerPage.append(next, 0, next.count(), page);
        pages.release(leaves[leaf + 1], next);
        removeLeaf(leaf + 1);
    }

    private void insertLeaf(final int leaf, final int number, final long firstTime) {
        if (leafCount == leaves.length) {
            leaves = Arrays.copyOf(leaves, 2 * leafCount);
            firstTimes = Arrays.copyOf(firstTimes, 2 * leafCount);
        }
        System.arraycopy(leaves, leaf, leaves, leaf + 1, leafCount - leaf);
        System.arraycopy(firstTimes, leaf, firstTimes, leaf + 1, leafCount - leaf);
        leaves[leaf] = number;
        firstTimes[leaf] = firstTime;
        leafCount++;
    }

    private void removeLeaf(final int leaf) {
        leafCount--;
        System.arraycopy(leaves, leaf + 1, leaves, leaf, leafCount - leaf);
        System.arraycopy(firstTimes, leaf + 1, firstTimes, leaf, leafCount - leaf);
    }

    /** Views and buffers that all groups of a table share. */
    static final class Workspace {
        private final Page page = new Page();
        private final Page other = new Page();
        private final Page old = new Page();
        private final UnsafeBuffer oldBytes = new UnsafeBuffer(new byte[Page.LENGTH]);
        private final UnsafeBuffer keyCopy = new UnsafeBuffer(new byte[64]);
        private final UnsafeBuffer largeKey = new UnsafeBuffer(0, 0);
        private final OverflowPages overflow = new OverflowPages();

        private Page copyOf(final Page copied) {
            oldBytes.putBytes(0, copied.buffer(), 0, Page.LENGTH);
            return old.wrap(oldBytes);
        }

        private UnsafeBuffer copyOfKey(final PageGroup pages, final Page from, final int entry) {
            final int length = TimerPage.keyLength(from, entry);
            ensure(keyCopy, length);
            if (TimerPage.isLarge(from, entry)) {
                overflow.read(pages, TimerPage.firstOverflowPage(from, entry), 0, keyCopy, length);
            } else {
                keyCopy.putBytes(0, from.buffer(), TimerPage.keyOffset(entry), length);
            }
            return keyCopy;
        }

        private UnsafeBuffer large(final int length) {
            ensure(largeKey, length);
            return largeKey;
        }

        /** Where {@link TimerLeaves#copyFirstKey} left the key. */
        UnsafeBuffer keyCopy() {
            return keyCopy;
        }

        private static void ensure(final UnsafeBuffer buffer, final int length) {
            if (buffer.capacity() < length) {
                buffer.wrap(new byte[Math.max(length, 2 * buffer.capacity())]);
            }
        }
    }
}
