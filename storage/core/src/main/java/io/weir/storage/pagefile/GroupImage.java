package io.weir.storage.pagefile;

import static io.weir.storage.pagefile.PageFormat.LINE_LENGTH;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The newest content of one key group's pages in a chain, which it reads from: it is of no use once that is closed. Immutable,
 * any thread. Never allocates; reading may wait for the disk where the bytes are not in memory any more.
 */
public final class GroupImage {
    private final PageChain chain;
    /** Numbers of the pages that are there, rising. */
    private final int[] pages;
    /** Of each page, and one more: its first record. */
    private final int[] firsts;
    /** Of each record, the newest of a page first: its lines; where they are. */
    private final long[] masks;

    private final long[] places;

    /** Of each page: the lines that the chain says something of. */
    private final long[] lines;
    /** Numbers of the pages that the chain says are gone, rising. */
    private final int[] gone;

    GroupImage(
            final PageChain chain,
            final int[] pages,
            final int[] firsts,
            final long[] masks,
            final long[] places,
            final long[] lines,
            final int[] gone) {
        this.chain = chain;
        this.pages = pages;
        this.firsts = firsts;
        this.masks = masks;
        this.places = places;
        this.lines = lines;
        this.gone = gone;
    }

    /**
     * Writes all pages that are there, whole. I/O thread; may block.
     *
     * @param target of the pages, at this group's place.
     * @param table index of the table in the target.
     * @param keyGroup of this image.
     * @param page scratch space of a page.
     */
    public void writeTo(
            final PageSegmentWriter target, final int table, final int keyGroup, final MutableDirectBuffer page) {
        for (final int pageNumber : pages) {
            read(pageNumber, page, 0);
            target.page(table, keyGroup, pageNumber, PageFormat.ALL_LINES, page, 0);
        }
    }

    /** Writes what the chain says of this group, as one segment that stands for all of them. */
    void writeChangesTo(final PageSegmentWriter target, final int table, final int keyGroup, final UnsafeBuffer page) {
        int nextGone = 0;
        for (int i = 0; i < pages.length; i++) {
            while (nextGone < gone.length && gone[nextGone] < pages[i]) {
                target.page(table, keyGroup, gone[nextGone++], 0, page, 0);
            }
            read(pages[i], page, 0);
            target.page(table, keyGroup, pages[i], lines[i], page, 0);
        }
        while (nextGone < gone.length) {
            target.page(table, keyGroup, gone[nextGone++], 0, page, 0);
        }
    }

    static long place(final int mapping, final int offset) {
        return ((long) mapping << Integer.SIZE) | offset;
    }

    /**
     * Tells how far page numbers go.
     *
     * @return the number behind the largest page that is there, 0 if there is none.
     */
    public int endPageNumber() {
        return pages.length == 0 ? 0 : pages[pages.length - 1] + 1;
    }

    /**
     * Counts the pages.
     *
     * @return those that are there.
     */
    public int pages() {
        return pages.length;
    }

    /**
     * Names a page, so that all can be visited where numbers have large gaps.
     *
     * @param index in [0, {@link #pages()}).
     * @return the number of the page at this place, by rising numbers.
     */
    public int pageNumber(final int index) {
        return pages[index];
    }

    /**
     * Whether a page is there.
     *
     * @param pageNumber of the page.
     * @return false if it never was, or is gone.
     */
    public boolean has(final int pageNumber) {
        return find(pageNumber) >= 0;
    }

    /** The place of a page in the arrays, negative if there is none. */
    private int find(final int pageNumber) {
        // Without gaps a page's number is its place.
        return pageNumber >= 0 && pageNumber < pages.length && pages[pageNumber] == pageNumber
                ? pageNumber
                : Arrays.binarySearch(pages, pageNumber);
    }

    private int get(final int pageNumber) {
        chain.checkOpen();
        final int page = find(pageNumber);
        if (page < 0) {
            throw new IllegalArgumentException("pageNumber=" + pageNumber + " is not there");
        }
        return page;
    }

    /**
     * Reads a whole page: the newest content of each line, zeros where none was ever written.
     *
     * @param pageNumber of a page that is there.
     * @param target of the bytes.
     * @param offset in the target, where 4096 bytes are written.
     */
    public void read(final int pageNumber, final MutableDirectBuffer target, final int offset) {
        final int page = get(pageNumber);
        target.boundsCheck(offset, PageFormat.PAGE_LENGTH);
        long missing = PageFormat.ALL_LINES;
        for (int record = firsts[page]; record < firsts[page + 1]; record++) {
            copy(record, masks[record] & missing, target, offset);
            missing &= ~masks[record];
        }
        while (missing != 0) {
            final int first = Long.numberOfTrailingZeros(missing);
            final int run = run(missing, first);
            target.setMemory(offset + first * LINE_LENGTH, run * LINE_LENGTH, (byte) 0);
            missing &= PageFormat.linesFrom(first + run);
        }
    }

    /** Copies some lines of a record, neighbours at once. */
    private void copy(final int record, final long wanted, final MutableDirectBuffer target, final int offset) {
        final DirectBuffer mapping = chain.mapping((int) (places[record] >> Integer.SIZE));
        final int start = (int) places[record];
        final long mask = masks[record];
        long rest = wanted;
        while (rest != 0) {
            final int first = Long.numberOfTrailingZeros(rest);
            final int run = run(rest, first);
            final int before = Long.bitCount(mask & ~PageFormat.linesFrom(first));
            target.putBytes(offset + first * LINE_LENGTH, mapping, start + before * LINE_LENGTH, run * LINE_LENGTH);
            rest &= PageFormat.linesFrom(first + run);
        }
    }

    /** How many lines in a row a mask has from one of its lines on. */
    private static int run(final long mask, final int first) {
        return Long.numberOfTrailingZeros(~(mask >>> first));
    }

    /**
     * Reads the first line of a page alone.
     *
     * @param pageNumber of a page that is there.
     * @param target of the bytes.
     * @param offset in the target, where 64 bytes are written.
     */
    public void readLine0(final int pageNumber, final MutableDirectBuffer target, final int offset) {
        final int page = get(pageNumber);
        target.boundsCheck(offset, LINE_LENGTH);
        for (int record = firsts[page]; record < firsts[page + 1]; record++) {
            if ((masks[record] & 1) != 0) {
                copy(record, 1, target, offset);
                return;
            }
        }
        target.setMemory(offset, LINE_LENGTH, (byte) 0);
    }
}
