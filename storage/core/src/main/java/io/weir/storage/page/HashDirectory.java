package io.weir.storage.page;

import io.weir.storage.snapshot.CorruptionException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Extendible hashing in one key group: the first bits of a hash lead to the page that holds all entries beginning so. Pages
 * name their prefix themselves, so the directory needs no place in a snapshot. Task thread.
 */
final class HashDirectory {
    /** Bits of the hash that pages are told apart by at most; where that is not enough, pages are chained. */
    static final int MAX_DEPTH = 20;

    private static final int MIN_DEPTH = 1;
    private static final long SLOT_BITS_MASK = Page.LENGTH - 1;

    private final PageGroup pages;
    private final int maxDepth;
    private int depth = MIN_DEPTH;
    private int[] numbers = new int[1 << MIN_DEPTH];
    /** Where the pages are: the frame's address, and in its low bits the page's slot bits; 0 where that is not known. */
    private long[] heads = new long[1 << MIN_DEPTH];

    private long size;

    HashDirectory(final PageGroup pages, final int maxDepth) {
        this.pages = pages;
        this.maxDepth = maxDepth;
    }

    /** The directory of a group without pages. */
    void create(final Page view) {
        pages.allocate(view);
        HashPage.init(view, HashPage.LARGE_ENTRY_LENGTH, 0, 0);
        redirect(view);
    }

    /** Builds the directory from the headers of restored pages. */
    void restore(final String table, final Page view) {
        final UnsafeBuffer line = new UnsafeBuffer(new byte[Page.LENGTH]);
        for (int number = 0; number < pages.end(); number++) {
            if (pages.isAbsent(number)) {
                pages.readRestoredHeader(number, view, line);
                if (view.kind() == Page.HASH && !view.isChained()) {
                    deepen(table, view.depth());
                }
            }
        }
        heads = new long[numbers.length];
        Arrays.fill(numbers, Page.NO_PAGE);
        for (int number = 0; number < pages.end(); number++) {
            if (pages.isAbsent(number)) {
                pages.readRestoredHeader(number, view, line);
                if (view.kind() == Page.HASH) {
                    size += view.count();
                    if (!view.isChained()) {
                        place(table, view, number);
                    }
                }
            }
        }
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == Page.NO_PAGE) {
                throw damaged(table, "a page for the hash prefix " + i + " of " + depth + " bits", "none");
            }
        }
    }

    private void deepen(final String table, final int pageDepth) {
        if (pageDepth < 0 || pageDepth > MAX_DEPTH) {
            throw damaged(table, "a depth in [0, " + MAX_DEPTH + "]", "" + pageDepth);
        }
        if (pageDepth > depth) {
            depth = pageDepth;
            numbers = new int[1 << pageDepth];
        }
    }

    private void place(final String table, final Page page, final int number) {
        final int first = first(page.prefix());
        final int end = first + width(page.depth());
        for (int i = first; i < end; i++) {
            if (i >= numbers.length || numbers[i] != Page.NO_PAGE) {
                throw damaged(table, "one page for each hash prefix", "page " + number + " beside another");
            }
            numbers[i] = number;
        }
    }

    private CorruptionException damaged(final String table, final String expected, final String found) {
        return new CorruptionException(
                table + ", key group " + pages.keyGroup() + ": expected " + expected + ", found " + found);
    }

    PageGroup pages() {
        return pages;
    }

    long size() {
        return size;
    }

    void changeSize(final int difference) {
        size += difference;
    }

    /** The number of the page that a hash leads to. */
    int number(final long hash) {
        return numbers[(int) (hash >>> (Long.SIZE - depth))];
    }

    /** Where the page is that a hash leads to, for {@link #address} and {@link #slotBits}; 0 if that is not known. */
    long head(final long hash) {
        return heads[(int) (hash >>> (Long.SIZE - depth))];
    }

    static long address(final long head) {
        return head & ~SLOT_BITS_MASK;
    }

    static int slotBits(final long head) {
        return (int) (head & SLOT_BITS_MASK);
    }

    /** The page that a prefix leads to. */
    int numberOfPrefix(final int prefix) {
        return numbers[first(prefix)];
    }

    boolean isDeepest(final int pageDepth) {
        return pageDepth >= maxDepth;
    }

    /** Lets the prefix of a page, which is not chained, lead to it and to where it is. */
    void redirect(final Page page) {
        final int pageDepth = page.depth();
        while (pageDepth > depth) {
            doubleSize();
        }
        final int first = first(page.prefix());
        final int end = first + width(pageDepth);
        Arrays.fill(numbers, first, end, page.number());
        Arrays.fill(heads, first, end, page.address() | page.slotBits());
    }

    private void doubleSize() {
        final int[] doubled = new int[2 * numbers.length];
        final long[] doubledHeads = new long[2 * numbers.length];
        for (int i = 0; i < doubled.length; i++) {
            doubled[i] = numbers[i >> 1];
            doubledHeads[i] = heads[i >> 1];
        }
        numbers = doubled;
        heads = doubledHeads;
        depth++;
    }

    private int first(final int prefix) {
        return prefix >>> (Integer.SIZE - depth);
    }

    private int width(final int pageDepth) {
        return 1 << (depth - pageDepth);
    }
}
