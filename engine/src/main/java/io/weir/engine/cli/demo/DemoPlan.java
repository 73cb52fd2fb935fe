package io.weir.engine.cli.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What a demo does.
 *
 * @param data folder of the feed and of the answers.
 * @param folder that it works in.
 * @param kills how often the job is killed.
 * @param seed that decides when.
 * @param recordsPerSecond of the feed.
 * @param checkpointInterval of the job.
 * @param replays how often the whole feed is read at full speed afterwards.
 * @param child what starts a JVM that runs {@code weir}, without its arguments.
 */
public record DemoPlan(
        Path data,
        Path folder,
        int kills,
        long seed,
        double recordsPerSecond,
        Duration checkpointInterval,
        int replays,
        ChildJvm child) {
    /** Size of the windows, as in the answers. */
    public static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(60);

    /** How far a record may come behind a later one, as in the answers. */
    public static final long LATENESS_NS = TimeUnit.SECONDS.toNanos(5);

    /** The column that repeats share. */
    public static final String ID_COLUMN = "id";

    private static final double FIRST_KILL = 0.05;
    private static final double LAST_KILL = 0.9;

    /**
     * How to start a JVM.
     *
     * @param flags of the JVM.
     * @param mainClass to run.
     */
    public record ChildJvm(List<String> flags, String mainClass) {
        /** Copies the list. */
        public ChildJvm {
            flags = List.copyOf(flags);
        }
    }

    Path feedCsv() {
        return data.resolve("ticks_disordered.csv.gz");
    }

    Path expectedWindows() {
        return data.resolve("expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv.gz");
    }

    Path expectedLateRows() {
        return data.resolve("expected/disordered_dedup_late_rows_60s_bound_5s.csv.gz");
    }

    Path feedQueue() {
        return folder.resolve("feed");
    }

    Path output() {
        return folder.resolve("output");
    }

    Path replayOutput() {
        return folder.resolve("replay");
    }

    /** When to kill, after the start of a feed of a length, in order. */
    long[] killTimesNs(final long feedNs) {
        final Random random = new Random(seed);
        return random.doubles(kills)
                .mapToLong(share -> (long) (feedNs * (FIRST_KILL + share * (LAST_KILL - FIRST_KILL))))
                .sorted()
                .toArray();
    }
}
