package io.weir.benchmarks.state;

import io.weir.storage.state.FrozenState;
import java.io.IOException;
import java.io.PrintStream;
import java.util.SplittableRandom;

/** How long a freeze holds the task: with pages that changed, and with copies of pages that changed during the last flush. */
final class FreezeTimes {
    private static final int[] CHANGES = {1_000, 100_000};
    private static final int FREEZES_PER_ROUND = 40;

    private FreezeTimes() {}

    static void run(final PrintStream out, final StateOptions options, final int keys) throws IOException {
        final SplittableRandom random = new SplittableRandom(2);
        try (PageStores stores = PageStores.filled(options.folder(), keys)) {
            final long beginNs = System.nanoTime();
            final FrozenState first = stores.freeze();
            final long firstNs = System.nanoTime() - beginNs;
            stores.segments().write(first);
            out.printf("%-10s %-28s %10s %10s %10s %10s%n", "keys", "freeze, us", "freezes", "median", "p99", "max");
            out.printf("%-10d %-28s %10d %10.1f%n", keys, "all pages new", 1, firstNs / 1e3);
            for (final int changes : CHANGES) {
                final Samples us = new Samples();
                for (int i = -FREEZES_PER_ROUND; i < options.rounds() * FREEZES_PER_ROUND; i++) {
                    stores.table().update(Keys.Draw.random(changes, keys, random));
                    final long freezeNs = System.nanoTime();
                    final FrozenState frozen = stores.freeze();
                    final long frozenNs = System.nanoTime();
                    stores.table().update(Keys.Draw.random(changes, keys, random));
                    stores.segments().write(frozen);
                    if (i >= 0) {
                        us.add((frozenNs - freezeNs) / 1e3);
                    }
                }
                out.printf(
                        "%-10d %-28s %10d %10.1f %10.1f %10.1f%n",
                        keys, "2 x " + changes + " updates", us.size(), us.median(), us.percentile(99), us.max());
            }
        }
    }
}
