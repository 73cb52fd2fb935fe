package io.weir.engine.cli.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.Cli;
import io.weir.engine.cli.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kills the job with SIGKILL, at random and at chosen moments: what it exports after resuming is what it always is. */
class KilledRunTest {
    private static final String MAIN = "io.weir.engine.cli.Main";
    private static final int RUNS = Integer.getInteger("weir.test.kills", 10);
    private static final int KILLS_PER_RUN = 2;
    private static final String DISORDERED = "bitstamp-trades/ticks_disordered.csv";

    @TempDir
    private Path temp;

    @Test
    @Timeout(1200)
    void shouldExportTheSameBytesHoweverOftenItIsKilled() throws Exception {
        final Path input = DataSets.file(DISORDERED);
        final Exported unkilled = unkilled(input);
        final long lifeNs = lifeNs(input);
        int hits = 0;
        for (final long seed : LongStream.rangeClosed(1, RUNS).toArray()) {
            final Random random = new Random(seed);
            final Path folder = Files.createDirectory(temp.resolve("seed-" + seed));
            for (int kill = 0; kill < KILLS_PER_RUN; kill++) {
                hits += killed(input, folder, random.nextLong(lifeNs)) ? 1 : 0;
            }
            try (WeirProcess last = start(input, folder)) {
                assertEquals(0, last.awaitEnd(), () -> "seed " + seed + ": " + last.output());
            }
            unkilled.assertEqual(Exported.of(folder), "seed " + seed);
        }
        System.out.println("kills: " + hits + " of " + RUNS * KILLS_PER_RUN + " met the job at work, in " + RUNS
                + " runs; each export is byte-identical");
        assertTrue(hits > 0, "no kill met the job at work");
    }

    @ParameterizedTest
    @EnumSource
    void shouldExportTheSameBytesWhenKilledInACommit(final CommitStep step) throws Exception {
        final Path input = DataSets.file(DISORDERED);
        final Exported unkilled = unkilled(input);
        final Path folder = Files.createDirectory(temp.resolve("killed"));

        try (WeirProcess process = WeirProcess.start(
                folder.resolve("log"), HaltInCommit.class.getName(), step, 3, input, folder.resolve("out"))) {
            assertEquals(HaltInCommit.HALTED, process.awaitEnd(), process::output);
        }
        Cli.run(arguments(input, folder)).succeeded();

        unkilled.assertEqual(Exported.of(folder), step.name());
    }

    private boolean killed(final Path input, final Path folder, final long afterNs) throws Exception {
        try (WeirProcess process = start(input, folder)) {
            process.await("the job's first checkpoint folder", () -> isWorking(folder));
            final long atNs = System.nanoTime() + afterNs;
            process.await("the moment to kill", () -> System.nanoTime() - atNs >= 0);
            return process.kill();
        }
    }

    /** From when the job begins to when it ends, by itself. */
    private long lifeNs(final Path input) throws Exception {
        final Path folder = Files.createDirectory(temp.resolve("life"));
        try (WeirProcess process = start(input, folder)) {
            process.await("the job's first checkpoint folder", () -> isWorking(folder));
            final long startNs = System.nanoTime();
            assertEquals(0, process.awaitEnd(), process::output);
            return Math.max(TimeUnit.MILLISECONDS.toNanos(50), System.nanoTime() - startNs);
        }
    }

    private static boolean isWorking(final Path folder) {
        return Files.exists(folder.resolve("out").resolve("checkpoints").resolve("ohlc"));
    }

    private static WeirProcess start(final Path input, final Path folder) throws IOException {
        return WeirProcess.start(folder.resolve("log"), MAIN, arguments(input, folder));
    }

    private Exported unkilled(final Path input) throws IOException {
        final Path folder = Files.createDirectory(temp.resolve("unkilled"));
        Cli.run(arguments(input, folder)).succeeded();
        final Exported exported = Exported.of(folder);
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_late_rows_60s_bound_5s.csv"),
                DataSets.lines(folder.resolve("out.late.csv")));
        return exported;
    }

    private static Object[] arguments(final Path input, final Path folder) {
        return new Object[] {
            "run",
            "ohlc",
            "--input",
            input,
            "--output",
            folder.resolve("out"),
            "--csv",
            folder.resolve("out.csv"),
            "--dedup",
            "id",
            "--checkpoint-interval",
            "5ms",
            "--stacktrace"
        };
    }

    /** The bytes of both files, one char each. */
    private record Exported(String windows, String late) {
        static Exported of(final Path folder) throws IOException {
            return new Exported(
                    Files.readString(folder.resolve("out.csv"), ISO_8859_1),
                    Files.readString(folder.resolve("out.late.csv"), ISO_8859_1));
        }

        void assertEqual(final Exported other, final String when) {
            assertEquals(windows, other.windows, when);
            assertEquals(late, other.late, when);
        }
    }
}
