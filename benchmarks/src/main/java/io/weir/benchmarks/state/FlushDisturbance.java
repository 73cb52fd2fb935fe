package io.weir.benchmarks.state;

import io.weir.storage.state.FrozenState;
import java.io.PrintStream;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;

/** Random updates, in windows, while no snapshot is there and while one is written on another thread. */
final class FlushDisturbance {
    private static final int WINDOW = 1_000;
    private static final int DRAWN = 1 << 20;
    private static final int WINDOWS_BEFORE = 500;

    private final TableContender table;
    private final Keys.Draw draw;
    private int position;

    private FlushDisturbance(final TableContender table, final Keys.Draw draw) {
        this.table = table;
        this.draw = draw;
    }

    static void run(final PrintStream out, final StateOptions options, final int keys) throws Exception {
        final Samples medians = new Samples();
        final Samples tails = new Samples();
        final Samples calm = new Samples();
        final Samples flushing = new Samples();
        final Samples flushMs = new Samples();
        try (PageStores stores = PageStores.filled(options.folder(), keys)) {
            final FlushDisturbance run =
                    new FlushDisturbance(stores.table(), Keys.Draw.random(DRAWN, keys, new SplittableRandom(3)));
            stores.snapshot();
            for (int round = -1; round < options.rounds(); round++) {
                for (int i = 0; i < WINDOWS_BEFORE; i++) {
                    run.windowNs();
                }
                final Samples before = new Samples();
                for (int i = 0; i < WINDOWS_BEFORE; i++) {
                    before.add(run.windowNs());
                }
                final FrozenState frozen = stores.freeze();
                final FutureTask<Long> write = new FutureTask<>(() -> {
                    final long beginNs = System.nanoTime();
                    stores.segments().write(frozen);
                    return System.nanoTime() - beginNs;
                });
                final Thread thread = new Thread(write, "flush");
                thread.start();
                final Samples during = new Samples();
                do {
                    during.add(run.windowNs());
                } while (!write.isDone());
                thread.join();
                if (round >= 0) {
                    calm.add(before.median());
                    flushing.add(during.median());
                    medians.add(during.median() / before.median());
                    tails.add(during.percentile(99) / before.percentile(99));
                    flushMs.add(write.get() / 1e6);
                }
            }
        }
        out.printf(
                "%-10s %22s %24s %24s %22s %22s%n",
                "keys", "flush, ms", "ns per update, calm", "while flushing", "ratio of medians", "ratio of p99s");
        out.printf(
                "%-10d %22s %24s %24s %22s %22s%n",
                keys,
                flushMs.spread("%.0f"),
                calm.spread("%.0f"),
                flushing.spread("%.0f"),
                medians.spread("%.2f"),
                tails.spread("%.2f"));
    }

    private double windowNs() {
        final int from = position;
        position = from + 2 * WINDOW > DRAWN ? 0 : from + WINDOW;
        final long beginNs = System.nanoTime();
        table.update(draw, from, from + WINDOW);
        return (double) (System.nanoTime() - beginNs) / WINDOW;
    }
}
