package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.snapshot.CorruptionException;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.IntArrayList;

/**
 * The pages of one table in one key group, by number. Those of a restored checkpoint come into memory when they are first
 * touched. Task thread.
 */
final class PageGroup {
    private static final int FIRST_CAPACITY = 4;

    private final PageStore store;
    private final int table;
    private final int keyGroup;
    private final IntArrayList freeNumbers = new IntArrayList();
    private final Page warmed = new Page();
    private GroupImage image;
    private int absent;
    private long[] frames = new long[FIRST_CAPACITY];
    private int end;

    PageGroup(final PageStore store, final int table, final int keyGroup) {
        this.store = store;
        this.table = table;
        this.keyGroup = keyGroup;
    }

    /** Takes over the pages of a checkpoint, before the first use. */
    void restore(final GroupImage restored) {
        image = restored;
        end = restored.endPageNumber();
        frames = new long[Math.max(FIRST_CAPACITY, end)];
        for (int number = end - 1; number >= 0; number--) {
            if (restored.has(number)) {
                absent++;
            } else {
                freeNumbers.addInt(number);
            }
        }
        dropImageIfDone();
    }

    int keyGroup() {
        return keyGroup;
    }

    /** Behind the largest page number. */
    int end() {
        return end;
    }

    /** Whether there is a page, in memory or not; a free one is none. */
    boolean has(final int number) {
        return frames[number] != 0 || isAbsent(number);
    }

    /** Whether a page has not come into memory yet. */
    boolean isAbsent(final int number) {
        return frames[number] == 0 && image != null && image.has(number);
    }

    /** Looks at a page that is there. */
    Page read(final int number, final Page view) {
        final long frame = frames[number];
        return view.wrap(frame != 0 ? frame : materialise(number, view));
    }

    /**
     * Looks at a page that another one names. What a checkpoint's pages name need not be there.
     *
     * @throws CorruptionException if there is no such page, or it is of another kind.
     */
    Page readNamed(final int number, final byte kind, final Page view) {
        if (number < 0 || number >= end || !has(number)) {
            throw damaged("a page " + number, "none");
        }
        read(number, view);
        if (view.kind() != kind) {
            throw damaged("page " + number + " of kind " + kind, "kind " + view.kind());
        }
        return view;
    }

    /** An error of this group's pages. */
    CorruptionException damaged(final String expected, final String found) {
        return new CorruptionException(
                store.tableName(table) + ", key group " + keyGroup + ": expected " + expected + ", found " + found);
    }

    /** The header line of a page as it was restored. */
    void readRestoredHeader(final int number, final Page view, final MutableDirectBuffer line) {
        image.readLine0(number, line, 0);
        view.wrap(line);
    }

    private long materialise(final int number, final Page view) {
        if (image == null || !image.has(number)) {
            throw new IllegalStateException(
                    store.tableName(table) + ", key group " + keyGroup + ": there is no page " + number);
        }
        final long frame = store.slabs().allocate();
        view.wrap(frame);
        try {
            image.read(number, view.buffer(), 0);
            store.checkRestored(view, end, table, keyGroup, number);
        } catch (final RuntimeException e) {
            store.slabs().free(frame);
            throw e;
        }
        Page.clearTransients(view.buffer());
        view.identify(table, keyGroup, number);
        frames[number] = frame;
        absent--;
        dropImageIfDone();
        return frame;
    }

    /** Brings up to some pages into memory, from a number on; the number to go on from, {@link #end()} at the end. */
    int materialiseFrom(final int from, final int most) {
        if (image == null) {
            return end;
        }
        int number = from;
        for (int left = most; left > 0 && number < end; number++) {
            if (isAbsent(number)) {
                materialise(number, warmed);
                left--;
            }
            if (image == null) {
                return end;
            }
        }
        return number;
    }

    private void dropImageIfDone() {
        if (absent == 0) {
            image = null;
        }
    }

    /**
     * Makes the page that a view shows, number {@code number}, ready to be written. Says whether the view shows another frame
     * now.
     */
    boolean write(final int number, final Page view) {
        if (view.epoch() == store.epoch()) {
            return false;
        }
        final long frame = store.firstWrite(view);
        final boolean isMoved = frames[number] != frame;
        frames[number] = frame;
        return isMoved;
    }

    /** Adds a page and shows it, ready to be written; what is in it but the header's identity is undefined. */
    int allocate(final Page view) {
        final boolean isReused = !freeNumbers.isEmpty();
        final int number = isReused ? freeNumbers.getInt(freeNumbers.size() - 1) : end;
        if (number >= frames.length) {
            frames = Arrays.copyOf(frames, 2 * frames.length);
        }
        if (frames[number] == 0) {
            frames[number] = store.newPage(view, table, keyGroup, number);
        } else {
            view.wrap(frames[number]);
            write(number, view);
        }
        if (isReused) {
            freeNumbers.removeAt(freeNumbers.size() - 1);
        } else {
            end++;
        }
        return number;
    }

    /** Gives a page up; its number will be used again. */
    void release(final int number, final Page view) {
        read(number, view);
        write(number, view);
        view.init(Page.FREE);
        freeNumbers.addInt(number);
    }

    long frame(final int number) {
        return frames[number];
    }
}
