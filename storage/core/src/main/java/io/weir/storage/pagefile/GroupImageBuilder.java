package io.weir.storage.pagefile;

import java.util.Arrays;

/** Gathers the records of one group, oldest segment first, and sorts out what still counts of them. */
final class GroupImageBuilder implements RecordVisitor {
    private static final int LINES = 0;
    private static final int PAGE = 1;
    private static final int GONE = 2;

    private final PageChain chain;
    /** Page number and place in the arrays: sorted, the records of a page stand together, the oldest first. */
    private final long[] order;

    private final byte[] kinds;
    private final long[] masks;
    private final long[] places;
    private int firstMapping;
    private int count;

    GroupImageBuilder(final PageChain chain, final int maxRecords) {
        this.chain = chain;
        order = new long[maxRecords];
        kinds = new byte[maxRecords];
        masks = new long[maxRecords];
        places = new long[maxRecords];
    }

    /** The records that follow are of a segment whose first mapping has this number in the chain. */
    void beginSegment(final int mapping) {
        firstMapping = mapping;
    }

    @Override
    public void onLines(final int pageNumber, final long mask, final int mapping, final int offset) {
        add(LINES, pageNumber, mask, GroupImage.place(firstMapping + mapping, offset));
    }

    @Override
    public void onPage(final int pageNumber, final long mask, final int mapping, final int offset) {
        add(PAGE, pageNumber, mask, GroupImage.place(firstMapping + mapping, offset));
    }

    @Override
    public void onGone(final int pageNumber) {
        add(GONE, pageNumber, 0, 0);
    }

    private void add(final int kind, final int pageNumber, final long mask, final long place) {
        order[count] = ((long) pageNumber << Integer.SIZE) | count;
        kinds[count] = (byte) kind;
        masks[count] = mask;
        places[count] = place;
        count++;
    }

    GroupImage build() {
        // Records come page by page from each segment: a few rising runs, which this sort merges.
        Arrays.sort(order, 0, count);
        final int[] pages = new int[count];
        final int[] firsts = new int[count + 1];
        final long[] newMasks = new long[count];
        final long[] newPlaces = new long[count];
        final long[] lines = new long[count];
        final int[] gone = new int[count];
        int goneCount = 0;
        int pageCount = 0;
        int kept = 0;
        for (int start = 0; start < count; ) {
            final int pageNumber = pageNumber(start);
            int end = start + 1;
            while (end < count && pageNumber(end) == pageNumber) {
                end++;
            }
            if (kinds[(int) order[end - 1]] != GONE) {
                pages[pageCount] = pageNumber;
                firsts[pageCount] = kept;
                lines[pageCount] = lines(start, end);
                pageCount++;
                kept = keep(start, end, newMasks, newPlaces, kept);
            } else {
                gone[goneCount++] = pageNumber;
            }
            start = end;
        }
        firsts[pageCount] = kept;
        return new GroupImage(
                chain,
                Arrays.copyOf(pages, pageCount),
                Arrays.copyOf(firsts, pageCount + 1),
                Arrays.copyOf(newMasks, kept),
                Arrays.copyOf(newPlaces, kept),
                Arrays.copyOf(lines, pageCount),
                Arrays.copyOf(gone, goneCount));
    }

    /** The lines that a page's records say something of: all of them from a whole page, or its end, on. */
    private long lines(final int start, final int end) {
        long lines = 0;
        for (int i = end - 1; i >= start && lines != PageFormat.ALL_LINES; i--) {
            final int record = (int) order[i];
            lines |= kinds[record] == LINES ? masks[record] : PageFormat.ALL_LINES;
        }
        return lines;
    }

    private int pageNumber(final int i) {
        return (int) (order[i] >> Integer.SIZE);
    }

    /** Keeps the records of a page that are not hidden by newer ones, the newest first. */
    private int keep(final int start, final int end, final long[] toMasks, final long[] toPlaces, final int first) {
        int kept = first;
        long hidden = 0;
        for (int i = end - 1; i >= start && hidden != PageFormat.ALL_LINES; i--) {
            final int record = (int) order[i];
            if (kinds[record] == GONE) {
                break;
            }
            if ((masks[record] & ~hidden) != 0) {
                toMasks[kept] = masks[record];
                toPlaces[kept] = places[record];
                kept++;
            }
            hidden |= kinds[record] == PAGE ? PageFormat.ALL_LINES : masks[record];
        }
        return kept;
    }
}
