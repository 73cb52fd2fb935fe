package io.weir.benchmarks.state;

import io.weir.benchmarks.state.StateOptions.Part;
import java.io.PrintStream;
import org.agrona.DirectBuffer;
import org.rocksdb.RocksDB;

/**
 * Keyed state in pages: reads, updates, freezes, snapshots and restores, in interleaved rounds beside what else does the same.
 */
public final class StateBenchmark {
    private StateBenchmark() {}

    /**
     * Runs the parts one after another and prints a table for each.
     *
     * @param out to print to.
     * @param options what to measure.
     * @throws Exception if a disk or a thread fails, or a result is wrong.
     */
    public static void run(final PrintStream out, final StateOptions options) throws Exception {
        RocksDB.loadLibrary();
        out.printf("Agrona bounds checks %s%n", DirectBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off");
        out.printf(
                "keys of %d bytes, values of %d, %d key groups, %d rounds, RocksDB %s%n",
                Keys.KEY_LENGTH, Keys.VALUE_LENGTH, Keys.KEY_GROUPS, options.rounds(), RocksDB.rocksdbVersion());
        for (final int keys : options.keys()) {
            if (options.parts().contains(Part.MAPS)) {
                MapRace.run(section(out), options, keys);
            }
            if (options.parts().contains(Part.FREEZE)) {
                FreezeTimes.run(section(out), options, keys);
            }
            if (options.parts().contains(Part.SNAPSHOT)) {
                SnapshotCost.run(section(out), options, keys);
            }
            if (options.parts().contains(Part.FLUSH)) {
                FlushDisturbance.run(section(out), options, keys);
            }
        }
        if (options.parts().contains(Part.RESTORE)) {
            RestoreTimes.run(section(out), options);
        }
    }

    private static PrintStream section(final PrintStream out) {
        out.println();
        return out;
    }
}
