package io.weir.storage.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the rows of each partition lie: a list of runs, text without a row of another partition in between. Built in one
 * pass when the log is opened, immutable after.
 */
final class CsvIndex {
    private final List<String> names = new ArrayList<>();
    private final List<Runs> runs = new ArrayList<>();

    /** The whole text as one partition; nothing is read. */
    static CsvIndex whole(final CsvFile file, final long start) {
        final CsvIndex index = new CsvIndex();
        index.names.add(file.path().getFileName().toString());
        final Runs all = new Runs();
        all.add(start, file.size());
        index.runs.add(all);
        return index;
    }

    /**
     * One partition per value of a column, in order of first appearance. A malformed row has no value: it goes with the row
     * before it, or with the first good one, and whoever reads it there decides about it.
     */
    static CsvIndex byColumn(final CsvFile file, final long start, final CsvRow row, final int column) {
        final CsvIndex index = new CsvIndex();
        final CsvKeys keys = new CsvKeys();
        final CsvScanner scanner = new CsvScanner(file);
        long at = start;
        int last = -1;
        while (scanner.next(at, file.size())) {
            if (isMalformed(row, scanner)) {
                at = scanner.nextPosition();
                if (last >= 0) {
                    index.runs.get(last).extend(at);
                }
                continue;
            }
            final int partition = keys.indexOf(row.buffer(column), row.offset(column), row.length(column), last);
            if (partition == index.names.size()) {
                index.names.add(row.asString(column));
                index.runs.add(new Runs());
            }
            final Runs of = index.runs.get(partition);
            if (partition == last) {
                of.extend(scanner.nextPosition());
            } else {
                of.add(last < 0 ? start : scanner.position(), scanner.nextPosition());
            }
            last = partition;
            at = scanner.nextPosition();
        }
        if (index.names.isEmpty() && at > start) {
            return whole(file, start);
        }
        if (index.names.isEmpty()) {
            throw new LogException(
                    file.path() + " has no row, so column '" + row.columns().get(column) + "' gives no partition");
        }
        return index;
    }

    private static boolean isMalformed(final CsvRow row, final CsvScanner scanner) {
        try {
            row.wrap(scanner.buffer(), scanner.offset(), scanner.length());
            return false;
        } catch (final LogException malformed) {
            return true;
        }
    }

    List<String> names() {
        return List.copyOf(names);
    }

    Runs runs(final int partition) {
        return runs.get(partition);
    }

    /** Runs of text in file order. */
    static final class Runs {
        private long[] starts = new long[1];
        private long[] ends = new long[1];
        private int count;

        int count() {
            return count;
        }

        long start(final int run) {
            return starts[run];
        }

        long end(final int run) {
            return ends[run];
        }

        /** The first run that ends behind a position, {@link #count()} if none does. */
        int firstBehind(final long position) {
            final int found = Arrays.binarySearch(ends, 0, count, position);
            return found >= 0 ? found + 1 : -found - 1;
        }

        private void add(final long start, final long end) {
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, count * 2);
                ends = Arrays.copyOf(ends, count * 2);
            }
            starts[count] = start;
            ends[count++] = end;
        }

        private void extend(final long end) {
            ends[count - 1] = end;
        }
    }
}
