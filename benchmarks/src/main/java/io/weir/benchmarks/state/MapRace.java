package io.weir.benchmarks.state;

import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.state.HeapStateBackend;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random reads and updates of all contenders, in interleaved rounds. What each of them holds is compared with plain counts,
 * before anything is timed and after all of it.
 */
final class MapRace {
    private static final int LOOKUPS = 1_000_000;
    private static final int CHECK_SLICE = 1 << 16;

    private final int keys;
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Lane> lanes = new ArrayList<>();

    private MapRace(final int keys) {
        this.keys = keys;
    }

    /** One contender's figures; the counts that it should hold are shared by those that share its table. */
    private static final class Lane {
        private final Contender contender;
        private final int[] counts;
        private final Samples reads = new Samples();
        private final Samples updates = new Samples();

        private Lane(final Contender contender, final int[] counts) {
            this.contender = contender;
            this.counts = counts;
        }
    }

    static void run(final PrintStream out, final StateOptions options, final int keys) throws IOException {
        final MapRace race = new MapRace(keys);
        try (FolderSegments segments = new FolderSegments(options.folder());
                TableContender pages = TableContender.open(new PagesStateBackend(), segments);
                TableContender heap = TableContender.open(new HeapStateBackend(), segments);
                Contender map = new ObjectMapContender();
                RocksContender rocks = new RocksContender(segments.folder().resolve("rocksdb"))) {
            final Lane baseline = race.add(map);
            final Lane plain = race.add(pages);
            race.add(heap);
            race.add(rocks);
            race.lanes.forEach(lane -> PageStores.fill(lane.contender, keys));
            race.lanes.add(new Lane(pages.batched(options.batch()), plain.counts));
            rocks.settle();
            race.round(false);
            race.check();
            for (int round = 0; round < options.rounds(); round++) {
                race.round(true);
            }
            race.check();
            race.print(out, baseline);
        }
    }

    private Lane add(final Contender contender) {
        final Lane lane = new Lane(contender, new int[keys]);
        lanes.add(lane);
        return lane;
    }

    private void round(final boolean counts) {
        for (final Lane lane : lanes) {
            final Contender contender = lane.contender;
            final int lookups = contender.affordable(LOOKUPS);
            final Keys.Draw read = Keys.Draw.random(lookups, keys, random);
            final long beginNs = System.nanoTime();
            final long sum = contender.read(read);
            final long readNs = System.nanoTime();
            if (sum != sum(lane.counts, read)) {
                throw new IllegalStateException(contender.name() + " read " + sum + ", not " + sum(lane.counts, read));
            }
            final Keys.Draw update = Keys.Draw.random(lookups, keys, random);
            final long updateBeginNs = System.nanoTime();
            contender.update(update);
            final long updateNs = System.nanoTime();
            for (final int index : update.indices()) {
                lane.counts[index]++;
            }
            if (counts) {
                lane.reads.add((double) (readNs - beginNs) / lookups);
                lane.updates.add((double) (updateNs - updateBeginNs) / lookups);
            }
        }
    }

    private static long sum(final int[] counts, final Keys.Draw draw) {
        long sum = 0;
        for (final int index : draw.indices()) {
            sum += counts[index];
        }
        return sum;
    }

    /** Looks up all keys, or of a slow contender as many as it can afford. */
    private void check() {
        for (final Lane lane : lanes) {
            final int lookups = lane.contender.affordable(keys);
            final int step = keys / lookups;
            for (int from = 0; from < keys; from += CHECK_SLICE) {
                final Keys.Draw draw = Keys.Draw.range(from, Math.min(keys, from + CHECK_SLICE));
                for (int i = 0; i < draw.size(); i += step) {
                    final long count = lane.contender.count(draw.keys()[i], draw.groups()[i]);
                    if (count != lane.counts[from + i]) {
                        throw new IllegalStateException(lane.contender.name() + ": key " + draw.keys()[i]
                                + " has count " + count + ", not " + lane.counts[from + i]);
                    }
                }
            }
        }
    }

    private void print(final PrintStream out, final Lane baseline) {
        out.printf(
                "%-10s %-24s %24s %22s %24s %22s%n",
                "keys", "ns each (spread)", "read", "to Agrona map", "read and update", "to Agrona map");
        for (final Lane lane : lanes) {
            out.printf(
                    "%-10d %-24s %24s %22s %24s %22s%n",
                    keys,
                    lane.contender.name(),
                    lane.reads.spread("%.0f"),
                    lane.reads.ratioTo(baseline.reads).spread("%.2f"),
                    lane.updates.spread("%.0f"),
                    lane.updates.ratioTo(baseline.updates).spread("%.2f"));
        }
    }
}
