package io.weir.engine.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.Cli;
import io.weir.engine.cli.data.DataSets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir status}, {@code savepoint}, {@code stop} and {@code cancel} of a run in another process. */
@Timeout(300)
final class ControlledRunTest {
    private static final String MAIN = "io.weir.engine.cli.Main";

    @TempDir
    private Path temp;

    private Path output;
    private List<Object> options;
    private int processes;

    @BeforeEach
    void setUp() {
        output = temp.resolve("out");
        options = List.of(
                "--input",
                DataSets.file("bitstamp-trades/ticks_disordered.csv"),
                "--output",
                output,
                "--csv",
                temp.resolve("out.csv"),
                "--dedup",
                "id");
    }

    /** A run that is at work until something ends it: its feed is never released. */
    private WeirProcess run(final Object... more) throws Exception {
        return runAt(20_000, more);
    }

    private WeirProcess runAt(final int pace, final Object... more) throws Exception {
        final long before = CheckpointsOnDisk.newest(output);
        final WeirProcess process = WeirProcess.start(
                temp.resolve("log-" + ++processes),
                "io.weir.engine.cli.PacedRun",
                with(options, withInterval(more), "--pace", pace, "--release", temp.resolve("never")));
        process.await("a checkpoint of this run", () -> CheckpointsOnDisk.newest(output) > before);
        if (!process.isAlive()) {
            process.close();
            throw new AssertionError(process.output());
        }
        return process;
    }

    private static List<Object> withInterval(final Object... more) {
        final List<Object> all = new ArrayList<>(List.of(more));
        if (!all.contains("--checkpoint-interval")) {
            all.addAll(List.of("--checkpoint-interval", "5ms"));
        }
        return all;
    }

    private static Object[] with(final List<Object> options, final List<Object> more, final Object... before) {
        final List<Object> all = new ArrayList<>(List.of(before));
        all.addAll(options);
        all.addAll(more);
        return all.toArray();
    }

    /** Runs to the end; the results are those of a run that nothing has happened to. */
    private Cli.Result finish(final Object... more) throws IOException {
        final Cli.Result result =
                Cli.run(with(options, List.of(more), "run", "ohlc")).succeeded();
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("out.csv")));
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_late_rows_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("out.late.csv")));
        return result;
    }

    private static Path path(final Cli.Result result) {
        return Path.of(result.succeeded().out().strip());
    }

    private static void assertSound(final Path savepoint) {
        final String shown =
                Cli.run("checkpoints", "verify", savepoint).succeeded().out();
        assertTrue(shown.contains("sound     " + savepoint.getFileName() + "  manifest and "), shown);
    }

    @Test
    void shouldTakeSavepointsOfARunningJobAndCancelIt() throws Exception {
        final Path directory = temp.resolve("save points");
        try (WeirProcess process = run()) {
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(output.resolve("control"))));
            final String status = Cli.run("status", output).succeeded().out();
            assertTrue(status.startsWith("job                     ohlc\nstate                   RUNNING\n"), status);
            assertTrue(status.contains("\ncounter                 rows/records="), status);

            final CompletableFuture<Cli.Result> other =
                    CompletableFuture.supplyAsync(() -> Cli.run("savepoint", output, "--native"));
            final Path canonical = path(Cli.run("savepoint", output, "--directory", directory));
            final Path inJob = path(other.join());

            assertEquals(directory, canonical.getParent());
            assertEquals(output.resolve("checkpoints/ohlc"), inJob.getParent());
            assertSound(canonical);
            assertSound(inJob);
            assertTrue(process.isAlive(), process::output);

            assertEquals("cancelled\n", Cli.run("cancel", output).succeeded().out());
            assertEquals(3, process.awaitEnd(), process::output);
            assertTrue(process.output().contains("ohlc: cancelled; "), process::output);
        }
        assertFalse(Files.exists(output.resolve("control/socket")));
        assertTrue(Cli.run("status", output).failed(1).startsWith("weir: no job runs in " + output));
        finish();
    }

    @Test
    void shouldStopBehindALastCheckpointOnceForAllWhoAsk() throws Exception {
        try (WeirProcess process = run()) {
            final CompletableFuture<Cli.Result> other = CompletableFuture.supplyAsync(() -> Cli.run("stop", output));
            final Cli.Result mine = Cli.run("stop", output);

            // The later one may find a job that has ended, or none.
            final Cli.Result its = other.join();
            assertTrue(mine.status() == 0 || its.status() == 0, mine + " " + its);
            for (final Cli.Result each : List.of(mine, its)) {
                if (each.status() == 0) {
                    assertEquals("stopped\n", each.out());
                } else {
                    each.failed(1);
                }
            }
            assertEquals(3, process.awaitEnd(), process::output);
            assertTrue(
                    process.output().contains("ohlc: stopped behind checkpoint " + CheckpointsOnDisk.newest(output)),
                    process::output);
        }
        finish();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStopBehindASavepointAndGoOnFromIt(final boolean isNative) throws Exception {
        final Path savepoint;
        try (WeirProcess process = run()) {
            final List<Object> stop = new ArrayList<>(List.of("stop", output, "--savepoint=" + temp.resolve("kept")));
            if (isNative) {
                stop.add("--native");
            }
            savepoint = path(Cli.run(stop.toArray()));
            assertEquals(3, process.awaitEnd(), process::output);
        }
        assertSound(savepoint);
        final Path moved = Files.move(savepoint, temp.resolve("moved"));

        final Cli.Result result = finish("--from-savepoint", moved, "--parallelism", "1");

        assertTrue(result.out().contains("ohlc: goes on from checkpoint "), result.out());
        assertTrue(Files.isDirectory(moved), "a savepoint that is not claimed stays");
    }

    /** Its checkpoints are far apart, so that the savepoint has committed much that the newest one knows nothing of. */
    @Test
    void shouldNotRepeatWhatAStopBehindASavepointHasCommitted() throws Exception {
        try (WeirProcess process = runAt(2_000, "--checkpoint-interval", "1s")) {
            final long atCheckpoint = records();
            process.await("much more input", () -> records() > atCheckpoint + 800);
            path(Cli.run("stop", output, "--savepoint"));
            assertEquals(3, process.awaitEnd(), process::output);
        }
        finish();
    }

    /** How many records the sources of the run have read. */
    private long records() {
        return Cli.run("status", output)
                .succeeded()
                .out()
                .lines()
                .filter(line -> line.contains("rows/records="))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*=", "")))
                .sum();
    }

    @Test
    void shouldDeleteASavepointThatIsClaimed() throws Exception {
        final Path savepoint;
        try (WeirProcess process = run()) {
            savepoint = path(Cli.run("stop", output, "--savepoint"));
            assertEquals(3, process.awaitEnd(), process::output);
        }
        try (WeirProcess process = run("--from-savepoint", savepoint, "--claim")) {
            assertNotEquals(WeirProcess.NOTHING, process.resumedFrom(), process::output);
            assertFalse(Files.exists(savepoint), process::output);
            assertTrue(process.kill(), process::output);
        }
        finish("--from-savepoint", savepoint, "--claim");
    }

    @Test
    void shouldDrainAndBeFinished() throws Exception {
        try (WeirProcess process = run()) {
            final Path savepoint = path(Cli.run("stop", output, "--savepoint", "--drain"));
            assertSound(savepoint);
            assertEquals(0, process.awaitEnd(), process::output);
            assertTrue(process.output().contains("ohlc: finished: drained, "), process::output);
        }
        assertFalse(DataSets.lines(temp.resolve("out.csv")).isEmpty());
        assertTrue(Cli.run(with(options, List.of(), "run", "ohlc"))
                .succeeded()
                .out()
                .startsWith("ohlc: finished before, nothing to do: "));
    }

    @Test
    void shouldLoseNothingWhenTheJobIsKilledDuringASavepoint() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (WeirProcess process = run()) {
                final CompletableFuture<Cli.Result> asked =
                        CompletableFuture.supplyAsync(() -> Cli.run("savepoint", output));
                process.await("the savepoint's folder", () -> !savepoints().isEmpty() || asked.isDone());
                assertTrue(process.kill(), process::output);

                final Cli.Result result = asked.join();
                if (result.status() == 0) {
                    assertSound(path(result));
                } else {
                    assertTrue(
                            result.failed(1)
                                    .startsWith(
                                            "weir: the process of the job in " + output + " ended before it answered"),
                            result::err);
                }
            }
            Cli.run("checkpoints", "delete-orphans", output).succeeded();
            savepoints().forEach(ControlledRunTest::assertSound);
        }
        finish();
    }

    @Test
    void shouldTakeTheSavepointOfAClientThatIsKilled() throws Exception {
        try (WeirProcess process = run()) {
            try (WeirProcess client = WeirProcess.start(temp.resolve("client"), MAIN, "savepoint", output)) {
                process.await("the savepoint's folder", () -> !savepoints().isEmpty());
                client.kill();
            }
            process.await(
                    "the savepoint", () -> Files.exists(savepoints().get(0).resolve("manifest")));
            assertSound(savepoints().get(0));
            assertEquals("cancelled\n", Cli.run("cancel", output).succeeded().out());
            assertEquals(3, process.awaitEnd(), process::output);
        }
        finish();
    }

    private List<Path> savepoints() {
        try (Stream<Path> all = Files.list(output.resolve("checkpoints/ohlc"))) {
            return all.filter(path -> path.getFileName().toString().startsWith("savepoint-"))
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
