package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class MainTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run ",
                "run ohlc ",
                "run stats ",
                "inspect ",
                "checkpoints ",
                "checkpoints verify ",
                "demo ",
                "completion ",
                "bench "
            })
    void shouldHaveHelpEverywhere(final String command) {
        final Cli.Result result =
                Cli.run((Object[]) (command + "--help").split(" ")).succeeded();

        assertTrue(result.out().startsWith("Usage: weir " + command), result.out());
    }

    @Test
    void shouldTellItsVersion() {
        final Cli.Result result = Cli.run("--version").succeeded();

        assertTrue(result.out().matches("(?s)weir [0-9][^$]*java [0-9].*"), result.out());
    }

    @Test
    void shouldPrintACompletionScriptForBash() {
        final Cli.Result result = Cli.run("completion").succeeded();

        assertTrue(result.out().contains("complete "), result.out());
        assertTrue(result.out().contains("--checkpoint-interval"), result.out());
    }

    @Test
    void shouldSayHowBenchmarksAreStarted() {
        assertTrue(Cli.run("bench", "transport", "--rounds", "1").failed(1).contains("start them with ./weir bench"));
    }

    @Test
    void shouldSayWhatToDoAboutErrorsOfTheJvm() {
        assertTrue(failing(new OutOfMemoryError("Java heap space"))
                .startsWith("weir: out of memory: Java heap space; WEIR_JAVA_OPTS can give more: -Xmx"));
        assertEquals(
                "weir: a mapped file has no space: its disk is full, or the memory file system of the channels, which"
                        + " is /dev/shm (--stacktrace tells where)\n",
                failing(new InternalError("a fault occurred in a recent unsafe memory access operation")));
        assertTrue(failing(new AssertionError("1 > 2")).startsWith("weir: unexpected java.lang.AssertionError: 1 > 2"));
    }

    /** In a command that is a method and in one that is a class, which picocli treats in different ways. */
    private static String failing(final Error error) {
        final String ofClass = failing(error, "failing");
        assertEquals(ofClass, failing(error, "failing", "method"));
        return ofClass;
    }

    private static String failing(final Error error, final String... words) {
        final StringWriter err = new StringWriter();
        final int status = Main.commandLine()
                .addSubcommand("failing", new Failing(error))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        assertEquals(1, status);
        return err.toString();
    }

    @Command
    private static final class Failing implements Runnable {
        private final Error error;

        private Failing(final Error error) {
            this.error = error;
        }

        @Override
        public void run() {
            throw error;
        }

        @Command(name = "method")
        @SuppressWarnings("unused") // picocli calls it
        int method() {
            run();
            return 0;
        }
    }

    @Test
    void shouldNameAnUnknownOption() {
        assertEquals(
                "weir run ohlc: Unknown option: '--windw' (see weir run ohlc --help)",
                Cli.run("run", "ohlc", "--input", "a", "--output", "b", "--windw")
                        .failed(2));
    }

    @Test
    void shouldNameAnUnknownOptionBeforeAMissingOne() {
        assertEquals(
                "weir run ohlc: Unknown option: '--bogus' (see weir run ohlc --help)",
                Cli.run("run", "ohlc", "--bogus").failed(2));
        assertEquals(
                "weir run ohlc: Unknown option: '--inptu=a' (see weir run ohlc --help)",
                Cli.run("run", "ohlc", "--output", "b", "--inptu=a").failed(2));
    }

    @Test
    void shouldNameAMissingOption() {
        assertEquals(
                "weir run stats: Missing required option: '--output=DIR' (see weir run stats --help)",
                Cli.run("run", "stats", "--input", "a").failed(2));
    }

    @Test
    void shouldNameAnUnknownCommandAndAMissingOne() {
        assertTrue(Cli.run("rnu").failed(2).startsWith("weir: Unmatched argument at index 0: 'rnu'"));
        assertTrue(Cli.run("run").failed(2).startsWith("weir run: Missing required subcommand"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--window 5",
                "--window 0s",
                "--window 0",
                "--lateness -1s",
                "--parallelism 0",
                "--parallelism 129",
                "--parallelism x",
                "--workers 0",
                "--workers 1000000",
                "--checkpoint-interval 10us",
                "--unaligned 5",
                "--at-least-once --unaligned",
                "--claim --parallelism=1",
                "--allow-unmatched-state --parallelism=1",
                "--on-bad-record ignore"
            })
    void shouldNameAnOptionWithABadValue(final String option, @TempDir final Path folder) {
        final String[] words = option.split(" ");

        final String error = Cli.run(
                        "run",
                        "ohlc",
                        "--input",
                        folder.resolve("in.csv"),
                        "--output",
                        folder.resolve("out"),
                        words[0],
                        words[1])
                .failed(2);

        assertTrue(error.startsWith("weir run ohlc: ") && error.contains(words[0]), error);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--kills -1", "--rate 0", "--replays -1", "--checkpoint-interval 1us"})
    void shouldNameAnOptionOfTheDemoWithABadValue(final String option) {
        final String[] words = option.split(" ");

        final String error = Cli.run("demo", words[0], words[1]).failed(2);

        assertTrue(error.startsWith("weir demo: ") && error.contains(words[0]), error);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "savepoint", "stop", "cancel"})
    void shouldNameAFolderThatNoJobRunsIn(final String command, @TempDir final Path folder) throws IOException {
        final Path nowhere = folder.resolve("nowhere");
        final Path file = Files.createFile(folder.resolve("file"));

        assertEquals(
                "weir " + command + ": there is no folder " + nowhere + " (see weir " + command + " --help)",
                Cli.run(command, nowhere).failed(2));
        assertEquals(
                "weir " + command + ": " + file + " is not a folder (see weir " + command + " --help)",
                Cli.run(command, file).failed(2));
        assertEquals(
                "weir: no job runs in " + folder + ": there is no socket " + folder.toRealPath() + "/control/socket",
                Cli.run(command, folder).failed(1));
        assertTrue(Cli.run(command).failed(2).contains("Missing required parameter: 'JOBFOLDER'"));
        assertTrue(Cli.run("stop", folder, "--native").failed(2).contains("--native goes with --savepoint only"));
    }

    @Test
    void shouldSimulateSeedsAndReplayOne() {
        final String all = Cli.run("simulate", "--seeds", "3..5").succeeded().out();
        assertTrue(all.contains("no failure: "), all);
        assertTrue(all.contains(" checkpoints"), all);

        final String one =
                Cli.run("simulate", "--seed", "3", "--trace").succeeded().out();
        assertTrue(one.contains("1 "), one);
        assertTrue(one.contains("seed 3 is right: "), one);
    }

    @Test
    void shouldSayHowSeedsAreGiven() {
        assertTrue(Cli.run("simulate").failed(2).contains("either --seed or --seeds is needed"));
        assertTrue(
                Cli.run("simulate", "--seed", "1", "--seeds", "1..2").failed(2).contains("either"));
        assertTrue(Cli.run("simulate", "--seeds", "5..3").failed(2).contains("FROM..TO"));
        assertTrue(Cli.run("simulate", "--seeds", "1..2", "--trace").failed(2).contains("--trace goes with --seed"));
    }
}
