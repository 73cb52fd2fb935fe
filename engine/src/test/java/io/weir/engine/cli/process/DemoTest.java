package io.weir.engine.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.Cli;
import io.weir.engine.cli.data.DataSets;
import io.weir.transport.driver.DriverDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    @TempDir
    private Path temp;

    @Test
    void shouldBeExactlyRightAfterKillsAndLeaveNothingBehind() {
        final Path folder = temp.resolve("demo");

        final Cli.Result result = demo(folder, data(), "--kills", "2", "--seed", "7", "--replays", "1")
                .succeeded();

        assertTrue(result.out().contains("killed the job after "), result.out());
        assertTrue(result.out().contains("\nmachine      "), result.out());
        assertTrue(result.out().contains("\njava         " + Runtime.version()), result.out());
        assertTrue(
                result.out()
                        .contains("\n"
                                + "restarts     2 kills (seed 7), each of a job at work that had completed a new"
                                + " checkpoint\n"),
                result.out());
        assertEachLifeBeganWithMore(result.out(), 3);
        assertTrue(result.out().contains("windows      4,195 expected, all equal"), result.out());
        assertTrue(result.out().contains("late rows    791 expected, all equal"), result.out());
        assertTrue(result.out().contains("verdict      exactly right"), result.out());
        assertFalse(Files.exists(folder));
    }

    @Test
    void shouldWaitForANewCheckpointAndARecordBetweenKills() {
        // All kills are due at once: the whole feed is, after some milliseconds.
        final Cli.Result result = Cli.run(
                        "demo",
                        "--dir",
                        temp.resolve("demo"),
                        "--data",
                        data(),
                        "--rate",
                        "10000000",
                        "--kills",
                        "3",
                        "--seed",
                        "3",
                        "--replays",
                        "0",
                        "--checkpoint-interval",
                        "20ms")
                .succeeded();

        assertEachLifeBeganWithMore(result.out(), 4);
        assertTrue(result.out().contains("verdict      exactly right"), result.out());
    }

    @Test
    void shouldTakeTheCtrlCOfATerminalThatItsJobHearsToo() throws Exception {
        final Path folder = temp.resolve("demo");
        try (WeirProcess process = WeirProcess.start(
                Map.of("WEIR_JAVA_OPTS", "-Dweir.test.first=1  -Dweir.test.second=2"),
                temp.resolve("log"),
                "io.weir.engine.cli.Main",
                "demo",
                "--dir",
                folder,
                "--data",
                data(),
                "--rate",
                "1000")) {
            process.await("the job to run", () -> process.output().contains("the job runs from the beginning"));
            final ProcessHandle child = process.children().get(0);
            assertTrue(
                    List.of(Files.readString(Path.of("/proc/" + child.pid() + "/cmdline"))
                                    .split("\0"))
                            .containsAll(List.of("-Dweir.test.first=1", "-Dweir.test.second=2")),
                    "the user's options reach the job");

            // SIGTERM to the job alone: the order in which a terminal's signal is heard does not matter.
            child.destroy();

            assertEquals(128 + 2, process.awaitEnd(), process::output);
            assertTrue(process.output().endsWith("\nweir: the demo was ended, its job was killed\n"), process::output);
        }
        assertFalse(Files.exists(folder), "the demo's folder is gone");
    }

    @Test
    void shouldFailOnAnyDifference() throws IOException {
        final Path wrong = Files.createDirectories(temp.resolve("data"));
        Files.createDirectory(wrong.resolve("expected"));
        for (final String name : List.of(
                "ticks_disordered.csv.gz",
                "expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv.gz",
                "expected/disordered_dedup_late_rows_60s_bound_5s.csv.gz")) {
            Files.copy(data().resolve(name), wrong.resolve(name));
        }
        final Path late = wrong.resolve("expected/disordered_dedup_late_rows_60s_bound_5s.csv.gz");
        final List<String> lines = DataSets.lines(late);
        try (var out = new GZIPOutputStream(Files.newOutputStream(late))) {
            out.write(String.join("\n", lines.subList(0, lines.size() - 1)).getBytes(StandardCharsets.UTF_8));
        }

        final Cli.Result result = demo(temp.resolve("demo"), wrong, "--kills", "0", "--replays", "0");

        assertEquals(1, result.status(), result.out());
        assertTrue(result.out().contains("late rows    790 expected, 1 differs"), result.out());
        assertTrue(result.out().contains("too much: " + lines.get(lines.size() - 1)), result.out());
        assertTrue(result.out().contains("verdict      WRONG"), result.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "KILL"})
    void shouldTakeItsChildDownWithIt(final String signal) throws Exception {
        final Path folder = temp.resolve("demo");
        final List<ProcessHandle> children;
        try (WeirProcess process = WeirProcess.start(
                temp.resolve("log"),
                "io.weir.engine.cli.Main",
                "demo",
                "--dir",
                folder,
                "--data",
                data(),
                "--rate",
                "1000")) {
            process.await("the job to run", () -> process.output().contains("the job runs from the beginning"));
            children = process.children();
            assertEquals(1, children.size(), process::output);
            assertEquals(1, DriverDirectory.ofProcess(children.get(0).pid()).size());

            process.signal(signal.equals("INT") && process.ignoresInterrupt() ? "TERM" : signal);

            final int status = process.awaitEnd();
            assertTrue(status > 128, process::output);
            assertEquals(
                    signal.equals("INT"),
                    process.output().endsWith("\nweir: the demo was ended, its job was killed\n"),
                    process::output);
            assertEquals(
                    signal.equals("INT") ? 1 : 0, process.output().split("weir: ", -1).length - 1, process::output);
        }
        for (final ProcessHandle child : children) {
            child.onExit().get(30, TimeUnit.SECONDS);
            if (signal.equals("INT")) {
                assertFalse(Files.exists(folder), "the demo's folder is gone");
                assertEquals(List.of(), DriverDirectory.ofProcess(child.pid()));
            }
        }
    }

    @Test
    void shouldRefuseAFolderThatIsNotEmpty() throws IOException {
        Files.writeString(temp.resolve("letter.txt"), "dear");

        final String error = demo(temp, data()).failed(2);

        assertTrue(error.contains("--dir: " + temp + " is not empty"), error);
    }

    private static void assertEachLifeBeganWithMore(final String out, final int lives) {
        final List<Long> begun = Pattern.compile("(?m)^the job runs from (?:the beginning|checkpoint (\\d+))$")
                .matcher(out)
                .results()
                .map(result -> result.group(1) == null ? 0 : Long.parseLong(result.group(1)))
                .toList();
        assertEquals(lives, begun.size(), out);
        assertEquals(begun.stream().distinct().sorted().toList(), begun, out);
        assertTrue(
                out.contains("gone on from checkpoint "
                        + begun.stream().skip(1).map(String::valueOf).collect(Collectors.joining(", ")) + "\n"),
                out);
        final String outages = out.substring(out.indexOf("from the kill to the first record: "));
        assertEquals(lives - 1, outages.lines().findFirst().orElseThrow().split(", ").length, out);
    }

    private static Path data() {
        return DataSets.repository().resolve("data/bitstamp-trades");
    }

    private static Cli.Result demo(final Path folder, final Path data, final String... more) {
        final Object[] args = new Object[7 + more.length];
        System.arraycopy(new Object[] {"demo", "--dir", folder, "--data", data, "--rate", "20000"}, 0, args, 0, 7);
        System.arraycopy(more, 0, args, 7, more.length);
        return Cli.run(args);
    }
}
