package io.weir.engine.cli.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.Cli;
import io.weir.storage.ClassArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the job with SIGKILL, at random and at chosen moments: it goes on from its newest checkpoint, and what it exports in
 * the end is what it always is; so is the number of bad records that it has skipped. Each life has a parallelism and a kind of
 * barriers of its own.
 */
class KilledRunTest {
    private static final int RUNS_IN_BUILD = 10;
    private static final int RUNS = Integer.getInteger("weir.test.kills", RUNS_IN_BUILD);
    private static final String[] PARALLELISM = {"2", "3", "1", "4"};
    private static final List<List<String>> BARRIERS =
            List.of(List.of("--unaligned"), List.of(), List.of("--unaligned=5ms"));

    /** The feed then lasts two seconds, longer than the kills do; and its end waits for them on a slow machine. */
    private static final int RECORDS_PER_SECOND_OF_A_SOURCE = 1_500;

    private static final List<String> PLAIN = List.of();
    private static final int KILLS_AT_WORK = 2;
    private static final long KILL_WITHIN_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int HALT_AT = 3;
    private static final String SKIPPED = "; " + ManyKeysFeed.BAD_RECORDS + " bad records skipped in the whole job\n";

    @TempDir
    private static Path shared;

    private static ClassArchive classes;
    private static Path feed;
    private static Exported unkilled;
    private static long lifeNs;

    @TempDir
    private Path temp;

    @BeforeAll
    static void runWithoutAKill() throws Exception {
        feed = ManyKeysFeed.write(shared.resolve("feed.csv"));
        classes = ClassArchive.in(shared);
        Files.createFile(released(shared));
        try (WeirProcess process = start(classes.written(), shared, PLAIN)) {
            assertEquals(0, process.awaitEnd(), process::output);
        }
        unkilled = Exported.of(shared);
        final Path again = Files.createDirectory(shared.resolve("again"));
        Files.createFile(released(again));
        final long startNs = System.nanoTime();
        try (WeirProcess process = start(again, PLAIN)) {
            assertEquals(0, process.awaitEnd(), process::output);
        }
        lifeNs = System.nanoTime() - startNs;
        unkilled.assertEqual(Exported.of(again));
        assertTrue(unkilled.windows.lines().count() > 2_000, "the feed makes windows");
        assertTrue(unkilled.late.lines().count() > 100, "the feed has late rows");
    }

    @Test
    @Timeout(1200)
    void shouldExportTheSameBytesHoweverOftenItIsKilled() throws Exception {
        for (int seed = 1; seed <= RUNS; seed++) {
            try {
                runKilled(seed, Files.createDirectory(temp.resolve("seed-" + seed)));
            } catch (final AssertionError | Exception e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        System.out.println("kills: " + RUNS * KILLS_AT_WORK + " met the job at work and " + RUNS
                + " came at any moment, in " + RUNS + " runs; each export is byte-identical");
    }

    @ParameterizedTest
    @MethodSource("commits")
    void shouldExportTheSameBytesWhenKilledInACommit(final String queue, final CommitStep step) throws Exception {
        final Path output = output(temp);
        try (WeirProcess process = WeirProcess.start(
                classes.used(),
                temp.resolve("log"),
                HaltInCommit.class.getName(),
                queue,
                step,
                HALT_AT,
                RECORDS_PER_SECOND_OF_A_SOURCE,
                feed,
                output)) {
            assertEquals(HaltInCommit.HALTED, process.awaitEnd(), process::output);
        }
        final long newest = CheckpointsOnDisk.newest(output);
        assertTrue(newest > 0, "a commit follows a checkpoint");

        final Cli.Result resumed = Cli.run(
                        command(temp, List.of("--parallelism", Integer.toString(HaltInCommit.PARALLELISM))))
                .succeeded();

        assertTrue(resumed.out().contains("ohlc: goes on from checkpoint " + newest + "\n"), resumed.out());
        assertTrue(resumed.out().contains(SKIPPED), resumed.out());
        unkilled.assertEqual(Exported.of(temp));
    }

    /** Each step once, in turn of the two queues, whose commits are alike; in a longer test each step of each queue. */
    static Stream<Arguments> commits() {
        final List<Arguments> commits = new ArrayList<>();
        for (final CommitStep step : CommitStep.values()) {
            final boolean isEven = commits.size() % 2 == 0;
            if (RUNS > RUNS_IN_BUILD || isEven) {
                commits.add(Arguments.of("windows", step));
            }
            if (RUNS > RUNS_IN_BUILD || !isEven) {
                commits.add(Arguments.of("late", step));
            }
        }
        return commits.stream();
    }

    private static void runKilled(final int seed, final Path folder) throws Exception {
        final Random random = new Random(seed);
        int life = 0;
        while (life < KILLS_AT_WORK) {
            killAtWork(random, folder, mode(seed, life++));
        }
        Files.createFile(released(folder));
        killAnywhere(random, folder, mode(seed, life++));

        final long newest = CheckpointsOnDisk.newest(output(folder));
        final Cli.Result last = Cli.run(command(folder, mode(seed, life))).succeeded();
        assertTrue(last.out().contains(SKIPPED), last.out());
        if (!last.out().contains("finished before, nothing to do")) {
            assertEquals(newest > 0, last.out().contains("ohlc: goes on from checkpoint " + newest + "\n"), last.out());
        }
        unkilled.assertEqual(Exported.of(folder));
    }

    /** At a random moment after the process has gone on from its newest checkpoint and has completed another one. */
    private static void killAtWork(final Random random, final Path folder, final List<String> mode) throws Exception {
        final Path output = output(folder);
        final long newest = CheckpointsOnDisk.newest(output);
        try (WeirProcess process = start(folder, mode)) {
            process.await(
                    "a checkpoint newer than " + newest,
                    () -> CheckpointsOnDisk.newest(output) > newest
                            && (newest == 0 || process.resumedFrom() != WeirProcess.NOTHING));
            assertTrue(process.isAlive(), process::output);
            assertEquals(newest, process.resumedFrom(), process::output);
            WeirProcess.awaitNs(System.nanoTime() + random.nextLong(KILL_WITHIN_NS));
            assertTrue(process.kill(), () -> "the kill must meet the process alive: " + process.output());
            assertFalse(process.output().contains("ohlc: finished"), process::output);
        }
        assertTrue(CheckpointsOnDisk.newest(output) > newest, "the killed run's checkpoints are there");
    }

    /** At a random moment of the life of a process: it may be starting, restoring, at work, exporting, or gone. */
    private static void killAnywhere(final Random random, final Path folder, final List<String> mode) throws Exception {
        try (WeirProcess process = start(folder, mode)) {
            WeirProcess.awaitNs(System.nanoTime() + random.nextLong(lifeNs / 4, lifeNs));
            process.kill();
        }
    }

    /** What a life may have otherwise than the one before it: the first run's are 2, 3, 1 and 4 subtasks. */
    private static List<String> mode(final int seed, final int life) {
        final int at = seed - 1 + life;
        final List<String> mode = new ArrayList<>(List.of("--parallelism", PARALLELISM[at % PARALLELISM.length]));
        mode.addAll(BARRIERS.get(at % BARRIERS.size()));
        return mode;
    }

    private static WeirProcess start(final Path folder, final List<String> mode) throws IOException {
        return start(classes.used(), folder, mode);
    }

    private static WeirProcess start(final List<String> classPath, final Path folder, final List<String> mode)
            throws IOException {
        final List<Object> arguments =
                new ArrayList<>(List.of("--pace", RECORDS_PER_SECOND_OF_A_SOURCE, "--release", released(folder)));
        arguments.addAll(options(folder, mode));
        return WeirProcess.start(classPath, folder.resolve("log"), "io.weir.engine.cli.PacedRun", arguments.toArray());
    }

    private static Object[] command(final Path folder, final List<String> mode) {
        final List<Object> arguments = new ArrayList<>(List.of("run", "ohlc"));
        arguments.addAll(options(folder, mode));
        return arguments.toArray();
    }

    private static List<Object> options(final Path folder, final List<String> mode) {
        final List<Object> options = new ArrayList<>(List.of(
                "--input",
                feed,
                "--output",
                output(folder),
                "--csv",
                folder.resolve("out.csv"),
                "--dedup",
                "id",
                "--checkpoint-interval",
                "5ms",
                "--on-bad-record",
                "skip"));
        options.addAll(mode);
        return options;
    }

    private static Path output(final Path folder) {
        return folder.resolve("out");
    }

    private static Path released(final Path folder) {
        return folder.resolve("released");
    }

    /** The bytes of both files, one char each. */
    private record Exported(String windows, String late) {
        static Exported of(final Path folder) throws IOException {
            return new Exported(
                    Files.readString(folder.resolve("out.csv"), ISO_8859_1),
                    Files.readString(folder.resolve("out.late.csv"), ISO_8859_1));
        }

        void assertEqual(final Exported other) {
            assertEquals(windows, other.windows);
            assertEquals(late, other.late);
        }
    }
}
