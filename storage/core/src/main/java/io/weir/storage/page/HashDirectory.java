package io.weir.storage.page;

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

    /** Places of the directory for each page at most, so that a few keys of like hashes don't make it grow beyond the pages. */
    private static final int MAX_PLACES_PER_PAGE = 64;

    private static final int FREE_PLACES = 1024;

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
    void restore(final Page view) {
        final UnsafeBuffer line = new UnsafeBuffer(new byte[Page.LENGTH]);
        for (int number = 0; number < pages.end(); number++) {
            if (isRestored(number, view, line) && !view.isChained()) {
                deepen(view.depth());
            }
        }
        heads = new long[numbers.length];
        Arrays.fill(numbers, Page.NO_PAGE);
        int chained = 0;
        boolean isLinked = false;
        for (int number = 0; number < pages.end(); number++) {
            if (isRestored(number, view, line)) {
                size += view.count();
                isLinked |= view.next() != Page.NO_PAGE;
                if (view.isChained()) {
                    chained++;
                } else {
                    place(view, number);
                }
            }
        }
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == Page.NO_PAGE) {
                throw pages.damaged("a page for the hash prefix " + i + " of " + depth + " bits", "none");
            }
        }
        if (isLinked || chained > 0) {
            checkChains(chained, view, line);
        }
    }

    private boolean isRestored(final int number, final Page view, final UnsafeBuffer line) {
        if (!pages.isAbsent(number)) {
            return false;
        }
        pages.readRestoredHeader(number, view, line);
        return view.kind() == Page.HASH;
    }

    private void deepen(final int pageDepth) {
        if (pageDepth < 0 || pageDepth > MAX_DEPTH) {
            throw pages.damaged("a depth in [0, " + MAX_DEPTH + "]", "" + pageDepth);
        }
        if (pageDepth > depth) {
            depth = pageDepth;
            numbers = new int[1 << pageDepth];
        }
    }

    private void place(final Page page, final int number) {
        final int first = first(page.prefix());
        final int end = first + width(page.depth());
        for (int i = first; i < end; i++) {
            if (i >= numbers.length || numbers[i] != Page.NO_PAGE) {
                throw pages.damaged("one page for each hash prefix", "page " + number + " beside another");
            }
            numbers[i] = number;
        }
    }

    /** Goes along all chains: each chained page is in one of them, once. */
    private void checkChains(final int chained, final Page view, final UnsafeBuffer line) {
        int left = chained;
        for (int i = 0; i < numbers.length; i++) {
            if (i > 0 && numbers[i] == numbers[i - 1]) {
                continue;
            }
            isRestored(numbers[i], view, line);
            final int prefix = view.prefix();
            final int pageDepth = view.depth();
            for (int next = view.next(); next != Page.NO_PAGE; next = view.next()) {
                if (next < 0
                        || next >= pages.end()
                        || !isRestored(next, view, line)
                        || !view.isChained()
                        || view.prefix() != prefix
                        || view.depth() != pageDepth
                        || --left < 0) {
                    throw pages.damaged("pages chained to page " + numbers[i] + " once", "page " + next);
                }
            }
        }
        if (left != 0) {
            throw pages.damaged("a place in a chain for each of " + chained + " chained pages", left + " without");
        }
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

    /** Whether pages of a depth can't be halved, as long as there are not more pages. */
    boolean isDeepest(final int pageDepth) {
        return pageDepth >= maxDepth
                || (pageDepth == depth
                        && numbers.length >= Math.max(FREE_PLACES, (long) MAX_PLACES_PER_PAGE * pages.end()));
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
