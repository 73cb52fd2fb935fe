package io.weir.storage.page;

import io.weir.storage.pagefile.PageSegmentWriter;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes frozen frames in the order of a segment: by table, key group and page number. A page that two epochs left behind is
 * written once, as the newer one has it, with the lines that either of them changed. I/O thread.
 */
final class SortedPages {
    private static final int ORDINAL_BITS = 31;
    private static final long ORDINAL_MASK = (1L << ORDINAL_BITS) - 1;

    private final Page page = new Page();
    private final UnsafeBuffer scrubbed = new UnsafeBuffer(new byte[Page.LENGTH]);
    private final long[] frames;
    private final int firstKeyGroup;
    private final int groups;

    SortedPages(final long[] frames, final int firstKeyGroup, final int endKeyGroup) {
        this.frames = frames;
        this.firstKeyGroup = firstKeyGroup;
        this.groups = endKeyGroup - firstKeyGroup;
    }

    void writeTo(final PageSegmentWriter writer, final List<TableName> tables) {
        final int[] starts = bucketStarts(tables.size() * groups);
        final long[] sorted = sort(starts);
        for (int table = 0; table < tables.size(); table++) {
            final TableName name = tables.get(table);
            if (!name.isKept()) {
                continue;
            }
            final int inSegment = writer.table(name.section(), name.attributes());
            for (int group = 0; group < groups; group++) {
                final int bucket = table * groups + group;
                writeGroup(writer, inSegment, firstKeyGroup + group, sorted, starts[bucket], starts[bucket + 1]);
            }
        }
    }

    private int bucket(final long frame) {
        page.wrap(frame);
        return page.table() * groups + page.keyGroup() - firstKeyGroup;
    }

    private int[] bucketStarts(final int buckets) {
        final int[] starts = new int[buckets + 1];
        for (final long frame : frames) {
            starts[bucket(frame) + 1]++;
        }
        for (int i = 1; i <= buckets; i++) {
            starts[i] += starts[i - 1];
        }
        return starts;
    }

    /** Within a bucket: page number, then place in {@code frames}, which rises with the epoch. */
    private long[] sort(final int[] starts) {
        final long[] sorted = new long[frames.length];
        final int[] next = starts.clone();
        for (int ordinal = 0; ordinal < frames.length; ordinal++) {
            sorted[next[bucket(frames[ordinal])]++] = ((long) page.number() << ORDINAL_BITS) | ordinal;
        }
        for (int i = 0; i + 1 < starts.length; i++) {
            Arrays.sort(sorted, starts[i], starts[i + 1]);
        }
        return sorted;
    }

    private void writeGroup(
            final PageSegmentWriter writer,
            final int table,
            final int keyGroup,
            final long[] sorted,
            final int from,
            final int to) {
        long mask = 0;
        for (int i = from; i < to; i++) {
            page.wrap(frames[(int) (sorted[i] & ORDINAL_MASK)]);
            mask |= page.mask();
            final int number = page.number();
            if (i + 1 < to && sorted[i + 1] >>> ORDINAL_BITS == number) {
                continue;
            }
            write(writer, table, keyGroup, number, mask);
            mask = 0;
        }
    }

    private void write(
            final PageSegmentWriter writer, final int table, final int keyGroup, final int number, final long mask) {
        if (page.kind() == Page.FREE) {
            writer.page(table, keyGroup, number, 0, page.buffer(), 0);
        } else if (mask == 0) {
            return; // made ready to be written, and then left as it was
        } else if ((mask & 1) == 0) {
            writer.page(table, keyGroup, number, mask, page.buffer(), 0);
        } else {
            copyLines(mask);
            Page.clearTransients(scrubbed);
            writer.page(table, keyGroup, number, mask, scrubbed, 0);
        }
    }

    private void copyLines(final long mask) {
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            final int offset = Long.numberOfTrailingZeros(rest) * Page.LINE_LENGTH;
            scrubbed.putBytes(offset, page.buffer(), offset, Page.LINE_LENGTH);
        }
    }
}
