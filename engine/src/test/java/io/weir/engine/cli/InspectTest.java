package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.inspect.InspectedJob;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code weir inspect} says of checkpoints, good and bad. */
class InspectTest {
    private static final long SEED = 20_261_201;

    @TempDir
    private Path temp;

    private Path checkpoints;

    static Stream<StateBackend> backends() {
        return Stream.of(new HeapStateBackend(), new PagesStateBackend());
    }

    @BeforeEach
    void setUp() {
        checkpoints = temp.resolve("checkpoints");
    }

    private InspectedJob job(final StateBackend backend) {
        final InspectedJob job = new InspectedJob(new DiskFileStore(), checkpoints, backend, 2);
        job.put("BTC", 1);
        job.put("ETH", 2);
        job.checkpoint();
        job.put("BTC", 3);
        job.checkpoint();
        return job;
    }

    private static List<String> lines(final Cli.Result result, final String kind) {
        return result.out().lines().filter(line -> line.startsWith(kind + " ")).toList();
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldShowTheNewestCheckpointOfARunningJob(final StateBackend backend) {
        try (InspectedJob job = job(backend)) {
            final Cli.Result result = Cli.run("inspect", checkpoints).succeeded();

            assertEquals(2, lines(result, "checkpoint").size(), result.out());
            assertTrue(lines(result, "checkpoint")
                    .get(1)
                    .matches("checkpoint +2  checkpoint  completed  2020-09-13T12:26:40.002Z .*"));
            assertEquals(List.of("inspected        2"), lines(result, "inspected"));
            assertEquals(List.of("state-backend    " + backend.name()), lines(result, "state-backend"));
            assertEquals(List.of("damages          0"), lines(result, "damages"));
            assertEquals(2, lines(result, "task").size());
            assertTrue(lines(result, "task").get(0).matches("task +count/0 +2 +no +0\\.\\.15 .*"), result.out());
            assertTrue(
                    lines(result, "state").stream()
                            .allMatch(line ->
                                    line.matches("state +count/[01] +count/state.sum .* intact +1 +string +1 +long")),
                    result.out());
            assertTrue(lines(result, "section").get(0).matches("section +count/0 +operator/count/seen +1 .*"));
            assertEquals(List.of(), lines(result, "file"));
            final Cli.Result all = Cli.run("inspect", checkpoints, "--files").succeeded();
            assertEquals(
                    job.last().tasks().stream()
                            .mapToLong(part -> 1 + part.shared().size())
                            .sum(),
                    lines(all, "file").size());
            assertEquals(
                    result.out(),
                    all.out().substring(0, result.out().length()),
                    "what was shown comes before the files");
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldPrintTheEntriesOfAStateAndOfOneKey(final StateBackend backend) {
        try (InspectedJob job = job(backend)) {
            final Cli.Result all =
                    Cli.run("inspect", checkpoints, "--state", "sum").succeeded();
            final Cli.Result one = Cli.run("inspect", checkpoints, "--state", InspectedJob.STATE, "--key", "BTC")
                    .succeeded();
            final Cli.Result old = Cli.run(
                            "inspect", checkpoints.resolve("words/chk-1"), "--state", "sum", "--key", "\"BTC\"")
                    .succeeded();
            final Cli.Result timers = Cli.run("inspect", checkpoints, "--state", "timers", "--limit", "2")
                    .succeeded();

            assertEquals(job.sums().size(), lines(all, "entry").size());
            assertTrue(lines(all, "entry").stream().anyMatch(line -> line.matches("entry  [0-9]+  \"ETH\"  2")));
            assertTrue(one.out().matches("(?s)state    count/state.sum\\Rentry  [0-9]+  \"BTC\"  3\\Rentries  1\\R"));
            assertTrue(lines(old, "entry").get(0).endsWith("\"BTC\"  1"), old.out());
            assertEquals(2, lines(timers, "timer").size());
            assertTrue(timers.out().contains("entries  3, the first 2 are shown"), timers.out());
            assertTrue(lines(timers, "timer").get(0).matches("timer  [0-9]+  [123]  \"...\""), timers.out());
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldNameWhatIsNotThere(final StateBackend backend) {
        try (InspectedJob job = job(backend)) {
            assertEquals(
                    "weir: there is no state 'nope' in checkpoint 2; its states are [count/state.sum, count/timers]",
                    Cli.run("inspect", checkpoints, "--state", "nope").failed(1));
            assertEquals(
                    "weir: state count/state.sum has no entry of key XRP in checkpoint 2",
                    Cli.run("inspect", checkpoints, "--state", "sum", "--key", "XRP")
                            .failed(1));
            assertEquals(
                    "weir inspect: checkpoint 9 in " + checkpoints.resolve("words")
                            + " is not there; completed are [1, 2] (see weir inspect --help)",
                    Cli.run("inspect", checkpoints, "--checkpoint", "9").failed(2));
            assertEquals(
                    "weir inspect: " + checkpoints.resolve("words/chk-1")
                            + " is checkpoint 1, but --checkpoint says 2 (see weir inspect --help)",
                    Cli.run("inspect", checkpoints.resolve("words/chk-1"), "--checkpoint", "2")
                            .failed(2));
            assertEquals(
                    "weir inspect: --key goes with --state only (see weir inspect --help)",
                    Cli.run("inspect", checkpoints, "--key", "BTC").failed(2));
            assertEquals(
                    "weir inspect: --files goes without --state only (see weir inspect --help)",
                    Cli.run("inspect", checkpoints, "--state", "sum", "--files").failed(2));
            assertEquals(
                    "weir inspect: --limit 0 must be at least 1 (see weir inspect --help)",
                    Cli.run("inspect", checkpoints, "--state", "x", "--limit", "0")
                            .failed(2));
            assertEquals(2, job.last().checkpointId());
        }
    }

    @Test
    void shouldRefuseFoldersThatHoldNoCheckpoints() {
        assertEquals(
                "weir inspect: " + temp
                        + " is not a checkpoint folder: it holds neither checkpoints (chk-N) nor the folder"
                        + " of a job (see weir inspect --help)",
                Cli.run("inspect", temp).failed(2));
        assertEquals(
                "weir inspect: there is no checkpoint folder " + temp.resolve("nowhere") + " (see weir inspect --help)",
                Cli.run("inspect", temp.resolve("nowhere")).failed(2));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTellDamageInOneLineAndShowTheRest(final StateBackend backend) throws IOException {
        try (InspectedJob job = job(backend)) {
            final Random random = new Random(SEED);
            final List<Path> files;
            try (Stream<Path> all = Files.walk(checkpoints)) {
                files = all.filter(file -> file.toString().matches(".*/(chk-2/.*|shared/.*)"))
                        .sorted()
                        .toList();
            }
            for (int round = 0; round < 200; round++) {
                final Path file = files.get(random.nextInt(files.size()));
                final byte[] good = Files.readAllBytes(file);
                final byte[] bad = good.clone();
                final int at = random.nextInt(bad.length);
                bad[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, bad);

                final Cli.Result report = Cli.run("inspect", checkpoints);
                final Cli.Result state = Cli.run("inspect", checkpoints, "--state", "sum");

                final String which = "round " + round + " of seed " + SEED + ", " + file + " at " + at;
                assertEquals(1, state.status(), which);
                assertFalse(state.err().contains("Exception"), which + state.err());
                assertFalse(report.err().contains("Exception"), which + report.err());
                final String error = report.failed(1);
                assertTrue(error.contains(" is damaged: ") && error.contains("expected"), which + error);
                assertTrue(lines(report, "damage").get(0).contains("expected"), which + report.out());
                assertEquals(
                        file.getFileName().toString().equals("manifest") ? 0 : 1,
                        lines(report, "file").stream()
                                .filter(line -> line.contains(" damaged ")
                                        && line.endsWith(file.getFileName().toString()))
                                .limit(1)
                                .count(),
                        which + report.out());
                Files.write(file, good);
            }
            assertEquals(2, job.last().checkpointId());
            Cli.run("inspect", checkpoints).succeeded();
        }
    }
}
