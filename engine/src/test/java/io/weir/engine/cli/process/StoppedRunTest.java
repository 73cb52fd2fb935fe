package io.weir.engine.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.Cli;
import io.weir.engine.cli.data.DataSets;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoppedRunTest {
    private static final Map<String, Integer> STATUS = Map.of("INT", 128 + 2, "TERM", 128 + 15);
    private static final Pattern STOPPED =
            Pattern.compile("(?m)^ohlc: stopped behind checkpoint (\\d+); the same command goes on from there$");

    @TempDir
    private Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void shouldStopBehindALastCheckpointAndGoOnFromThatOne(final String wanted) throws Exception {
        final Path output = temp.resolve("out");
        final List<Object> options = List.of(
                "--input",
                DataSets.file("bitstamp-trades/ticks_disordered.csv"),
                "--output",
                output,
                "--csv",
                temp.resolve("out.csv"),
                "--dedup",
                "id",
                "--checkpoint-interval",
                "5ms");

        final long atSignal;
        final long stoppedBehind;
        // The feed is never released: the job can't finish before the signal.
        try (WeirProcess process = WeirProcess.start(
                temp.resolve("log"),
                "io.weir.engine.cli.PacedRun",
                with(options, "--pace", "20000", "--release", temp.resolve("never")))) {
            process.await("the job's first checkpoint", () -> CheckpointsOnDisk.newest(output) > 0);
            assertTrue(process.isAlive(), process::output);
            final String signal = process.ignoresInterrupt() ? "TERM" : wanted;
            atSignal = CheckpointsOnDisk.newest(output);
            process.signal(signal);
            assertEquals(STATUS.get(signal), process.awaitEnd(), process::output);
            final Matcher said = STOPPED.matcher(process.output());
            assertTrue(said.find(), process::output);
            stoppedBehind = Long.parseLong(said.group(1));
        }
        assertTrue(stoppedBehind > atSignal, "the last checkpoint is a new one: " + stoppedBehind + ", " + atSignal);
        assertEquals(stoppedBehind, CheckpointsOnDisk.newest(output), "no checkpoint follows the last one");

        final Cli.Result resumed = Cli.run(with(options, "run", "ohlc")).succeeded();

        assertTrue(resumed.out().startsWith("ohlc: goes on from checkpoint " + stoppedBehind + "\n"), resumed.out());
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("out.csv")));
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_late_rows_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("out.late.csv")));
    }

    /** The command line is read from a pipe that nothing comes through: the signal meets a process that is still reading it. */
    @Test
    void shouldSayThatASignalCameBeforeAnythingWasBegun() throws Exception {
        final Path pipe = temp.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        try (WeirProcess process = WeirProcess.start(temp.resolve("log"), "io.weir.engine.cli.Main", "@" + pipe);
                OutputStream reading = Files.newOutputStream(pipe)) {
            reading.flush();
            final String signal = process.ignoresInterrupt() ? "TERM" : "INT";
            process.signal(signal);

            assertEquals(STATUS.get(signal), process.awaitEnd(), process::output);
            assertEquals("weir: ended by a signal before anything was begun\n", process.output());
        }
    }

    private static Object[] with(final List<Object> options, final Object... before) {
        final List<Object> all = new ArrayList<>(List.of(before));
        all.addAll(options);
        return all.toArray();
    }
}
