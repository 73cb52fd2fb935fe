package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.state.TimerTable;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One operator's timers in pages: in order within each key group, and a heap of the key groups by their first timers. Those of
 * a restored checkpoint are looked for on the first use. Task thread.
 */
final class PageTimerTable implements TimerTable, Warmup.RestoredTable {
    private final TablePages tablePages;
    private final TimerLeaves.Workspace workspace = new TimerLeaves.Workspace();
    private final TimerLeaves[] groups;
    private final int[] heap;
    private final int[] heapIndex;
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer firedKey = new UnsafeBuffer(new byte[64]);
    private int heapSize;
    private long size;
    private boolean opened;

    PageTimerTable(final TablePages tablePages) {
        this.tablePages = tablePages;
        groups = new TimerLeaves[tablePages.groups()];
        heap = new int[groups.length];
        heapIndex = new int[groups.length];
        Arrays.fill(heapIndex, -1);
    }

    /** Opens the key groups that have timers, so that the first one of all is known. */
    private void open() {
        opened = true;
        for (int index = 0; index < groups.length; index++) {
            if (!tablePages.isEmpty(index)) {
                group(index);
            }
        }
    }

    private TimerLeaves group(final int index) {
        if (groups[index] == null) {
            open(index, tablePages.open(index));
        }
        return groups[index];
    }

    @Override
    public TablePages pages() {
        return tablePages;
    }

    @Override
    public PageGroup open(final int index, final GroupImage image) {
        if (tablePages.group(index) == null) {
            open(index, tablePages.open(index, image));
        }
        return tablePages.group(index);
    }

    private void open(final int index, final PageGroup pages) {
        final TimerLeaves leaves = new TimerLeaves(pages, workspace);
        if (pages.end() > 0) {
            leaves.restore(tablePages.name());
        }
        groups[index] = leaves;
        size += leaves.size();
        update(index);
    }

    private int index(final int keyGroup) {
        final int index = keyGroup - tablePages.firstKeyGroup();
        if (index < 0 || index >= groups.length) {
            throw tablePages.foreign(keyGroup);
        }
        if (!opened) {
            open();
        }
        return index;
    }

    @Override
    public boolean set(
            final int keyGroup, final long time, final DirectBuffer key, final int offset, final int length) {
        if (time == NONE) {
            throw new IllegalArgumentException("timer of " + tablePages.name() + ": time must be below Long.MAX_VALUE");
        }
        final int index = index(keyGroup);
        if (!group(index).set(time, key, offset, length)) {
            return false;
        }
        size++;
        update(index);
        return true;
    }

    @Override
    public boolean cancel(
            final int keyGroup, final long time, final DirectBuffer key, final int offset, final int length) {
        final int index = index(keyGroup);
        if (!group(index).cancel(time, key, offset, length)) {
            return false;
        }
        size--;
        update(index);
        return true;
    }

    @Override
    public long nextTime() {
        if (!opened) {
            open();
        }
        return heapSize == 0 ? NONE : groups[heap[0]].firstTime();
    }

    @Override
    public boolean pollDue(final long now, final Handler handler) {
        final long time = nextTime();
        if (time > now || heapSize == 0) {
            return false;
        }
        final int index = heap[0];
        final TimerLeaves first = groups[index];
        final int length = first.copyFirstKey();
        if (firedKey.capacity() < length) {
            firedKey.wrap(new byte[Math.max(length, 2 * firedKey.capacity())]);
        }
        firedKey.putBytes(0, workspace.keyCopy(), 0, length);
        first.removeFirst();
        size--;
        update(index);
        keyView.wrap(firedKey, 0, length);
        handler.onTimer(first.keyGroup(), time, keyView);
        return true;
    }

    @Override
    public long size() {
        if (!opened) {
            open();
        }
        return size;
    }

    /** Visits all timers, by key group, in order within each. */
    void forEach(final Handler visitor) {
        nextTime();
        for (final TimerLeaves group : groups) {
            if (group != null) {
                group.forEach(visitor);
            }
        }
    }

    /** Puts a key group where its first timer belongs in the heap. */
    private void update(final int index) {
        if (groups[index].isEmpty()) {
            drop(index);
        } else if (heapIndex[index] < 0) {
            place(heapSize++, index);
            siftUp(heapIndex[index]);
        } else {
            siftUp(heapIndex[index]);
            siftDown(heapIndex[index]);
        }
    }

    private void drop(final int index) {
        final int at = heapIndex[index];
        if (at >= 0) {
            heapIndex[index] = -1;
            final int last = heap[--heapSize];
            if (at < heapSize) {
                place(at, last);
                siftUp(at);
                siftDown(heapIndex[last]);
            }
        }
    }

    private void place(final int at, final int index) {
        heap[at] = index;
        heapIndex[index] = at;
    }

    private void siftUp(final int from) {
        int at = from;
        while (at > 0) {
            final int parent = (at - 1) >>> 1;
            if (!isBefore(heap[at], heap[parent])) {
                return;
            }
            swap(at, parent);
            at = parent;
        }
    }

    private void siftDown(final int from) {
        int at = from;
        while (true) {
            final int left = 2 * at + 1;
            if (left >= heapSize) {
                return;
            }
            final int right = left + 1;
            final int child = right < heapSize && isBefore(heap[right], heap[left]) ? right : left;
            if (!isBefore(heap[child], heap[at])) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(final int a, final int b) {
        final int index = heap[a];
        place(a, heap[b]);
        place(b, index);
    }

    private boolean isBefore(final int a, final int b) {
        final int byTime = Long.compare(groups[a].firstTime(), groups[b].firstTime());
        if (byTime != 0) {
            return byTime < 0;
        }
        final int length = groups[a].copyFirstKey();
        final int byKey = groups[b].compareFirstKey(workspace.keyCopy(), 0, length);
        return byKey != 0 ? byKey > 0 : a < b;
    }
}
