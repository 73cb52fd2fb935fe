package io.weir.benchmarks.state;

import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.KeyedStateStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** From the start of a restore to the first record and to the last one, beside RocksDB opening the same entries. */
final class RestoreTimes {
    /** About what an entry takes of a page. */
    private static final int BYTES_PER_KEY = 57;

    private final int keys;
    private final long firstKey = Keys.key(0);
    private final int firstGroup = Keys.group(firstKey, new UnsafeBuffer(new byte[Keys.KEY_LENGTH]));
    private final Samples pagesFirst = new Samples();
    private final Samples pagesAll = new Samples();
    private final Samples rocksFirst = new Samples();
    private final Samples rocksAll = new Samples();

    private RestoreTimes(final int keys) {
        this.keys = keys;
    }

    static void run(final PrintStream out, final StateOptions options) throws IOException {
        final RestoreTimes times = new RestoreTimes((int) Math.max(1, options.restoreBytes() / BYTES_PER_KEY));
        final Path rocksFolder = Files.createTempDirectory(options.folder(), "weir-bench-rocksdb-");
        try (PageStores stores = PageStores.filled(options.folder(), times.keys)) {
            final List<SegmentHandle> chain = stores.snapshot();
            stores.closeStore();
            times.fillRocks(rocksFolder);
            for (int round = -1; round < options.rounds(); round++) {
                times.pages(stores.segments(), chain, round >= 0);
                times.rocks(rocksFolder, round >= 0);
            }
            final double mb = chain.stream().mapToLong(SegmentHandle::length).sum() / (double) (1 << 20);
            out.printf("%-10s %-10s %12s %28s %28s%n", "keys", "restore", "MiB of file", "first record, ms", "all, ms");
            times.print(out, "pages", mb, times.pagesFirst, times.pagesAll);
            times.print(out, "RocksDB", size(rocksFolder) / (double) (1 << 20), times.rocksFirst, times.rocksAll);
        } finally {
            FolderSegments.delete(rocksFolder);
        }
    }

    private void print(
            final PrintStream out, final String name, final double mb, final Samples first, final Samples all) {
        out.printf("%-10d %-10s %12.0f %28s %28s%n", keys, name, mb, first.spread("%.1f"), all.spread("%.0f"));
    }

    private static long size(final Path folder) throws IOException {
        long size = 0;
        try (var files = Files.list(folder)) {
            for (final Path file : files.toList()) {
                size += Files.size(file);
            }
        }
        return size;
    }

    private void fillRocks(final Path folder) {
        try (RocksContender rocks = new RocksContender(folder)) {
            PageStores.fill(rocks, keys);
            rocks.settle();
        }
    }

    private void pages(final FolderSegments segments, final List<SegmentHandle> chain, final boolean counts) {
        final long beginNs = System.nanoTime();
        try (KeyedStateStore store = new PagesStateBackend().open(TableContender.context(segments))) {
            store.restoreShared(chain, 0, Keys.KEY_GROUPS);
            final TableContender table = TableContender.of("pages", store);
            final long count = table.count(firstKey, firstGroup);
            final long firstNs = System.nanoTime();
            final long entries = table.readAll();
            final long allNs = System.nanoTime();
            check("pages", count, entries);
            if (counts) {
                pagesFirst.add((firstNs - beginNs) / 1e6);
                pagesAll.add((allNs - beginNs) / 1e6);
            }
        }
    }

    private void rocks(final Path folder, final boolean counts) {
        final long beginNs = System.nanoTime();
        try (RocksContender rocks = new RocksContender(folder)) {
            final long count = rocks.count(firstKey, firstGroup);
            final long firstNs = System.nanoTime();
            final long entries = rocks.readAll();
            final long allNs = System.nanoTime();
            check("RocksDB", count, entries);
            if (counts) {
                rocksFirst.add((firstNs - beginNs) / 1e6);
                rocksAll.add((allNs - beginNs) / 1e6);
            }
        }
    }

    private void check(final String name, final long count, final long entries) {
        if (count != 0 || entries != keys) {
            throw new IllegalStateException(
                    name + " restored count " + count + " of the first key, and " + entries + " of " + keys + " keys");
        }
    }
}
