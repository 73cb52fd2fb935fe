package io.weir.benchmarks.state;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What snapshots write: all of the state, and after a part of the keys changed. Beside each stands a plain write of as many
 * bytes, forced, in the same round.
 */
final class SnapshotCost {
    private static final double[] SHARES = {0.001, 0.01, 0.1};
    private static final int STRIDE = 1_000_003;
    private static final int WRITE_LENGTH = 1 << 20;

    private SnapshotCost() {}

    private static final class Row {
        private final String name;
        private final Samples bytes = new Samples();
        private final Samples ms = new Samples();
        private final Samples plainMs = new Samples();
        private final int entries;

        private Row(final String name, final int entries) {
            this.name = name;
            this.entries = entries;
        }
    }

    static void run(final PrintStream out, final StateOptions options, final int keys) throws IOException {
        final Row[] rows = new Row[1 + SHARES.length];
        rows[0] = new Row("all", keys);
        for (int i = 0; i < SHARES.length; i++) {
            rows[i + 1] = new Row(SHARES[i] * 100 + " % changed", (int) Math.max(1, keys * SHARES[i]));
        }
        for (int round = -1; round < options.rounds(); round++) {
            try (PageStores stores = PageStores.filled(options.folder(), keys)) {
                for (final Row row : rows) {
                    if (row != rows[0]) {
                        stores.table().update(changes(row.entries, keys, round));
                    }
                    final Row target = round < 0 ? new Row("warm-up", row.entries) : row;
                    measure(stores, target);
                }
            }
        }
        out.printf(
                "%-10s %-18s %12s %14s %22s %10s %22s%n",
                "keys", "snapshot", "MB", "bytes/entry", "ms", "MB/s", "time to plain write");
        for (final Row row : rows) {
            out.printf(
                    "%-10d %-18s %12.2f %14.1f %22s %10.0f %22s%n",
                    keys,
                    row.name,
                    row.bytes.median() / 1e6,
                    row.bytes.median() / row.entries,
                    row.ms.spread("%.1f"),
                    row.bytes.median() / 1e3 / row.ms.median(),
                    row.ms.ratioTo(row.plainMs).spread("%.2f"));
        }
    }

    /** Different keys, scattered over all pages. */
    private static Keys.Draw changes(final int count, final int keys, final int round) {
        final int[] indices = new int[count];
        for (int i = 0; i < count; i++) {
            indices[i] = (int) ((i * (long) STRIDE + round + 1) % keys);
        }
        return Keys.Draw.of(indices);
    }

    private static void measure(final PageStores stores, final Row row) throws IOException {
        final long beginNs = System.nanoTime();
        stores.snapshot();
        final long endNs = System.nanoTime();
        final long bytes = stores.segments().lastLength("delta");
        row.bytes.add((double) bytes);
        row.ms.add((endNs - beginNs) / 1e6);
        row.plainMs.add(plainWriteNs(stores.segments().folder().resolve("plain"), bytes) / 1e6);
    }

    private static long plainWriteNs(final Path file, final long bytes) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_LENGTH);
        final long beginNs = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; ) {
                buffer.clear().limit((int) Math.min(WRITE_LENGTH, left));
                left -= channel.write(buffer);
            }
            channel.force(true);
        }
        final long ns = System.nanoTime() - beginNs;
        Files.delete(file);
        return ns;
    }
}
