package io.weir.engine.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.Cli;
import io.weir.engine.cli.data.DataSets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoppedRunTest {
    @TempDir
    private Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void shouldStopBehindACheckpointAndGoOnWithTheSameCommand(final String signal) throws Exception {
        final Path input = DataSets.file("bitstamp-trades/ticks_disordered.csv");
        final Path output = temp.resolve("out");
        final Object[] command = {
            "run",
            "ohlc",
            "--input",
            input,
            "--output",
            output,
            "--csv",
            temp.resolve("out.csv"),
            "--dedup",
            "id",
            "--checkpoint-interval",
            "5ms"
        };

        try (WeirProcess process = WeirProcess.start(temp.resolve("log"), "io.weir.engine.cli.Main", command)) {
            process.await("the job's first checkpoint", () -> Files.exists(output.resolve("checkpoints/ohlc/chk-1")));
            if (process.isAlive()) {
                process.signal(process.ignoresInterrupt() ? "TERM" : signal);
            }
            final int status = process.awaitEnd();
            final boolean wasStopped = process.output().contains("the same command goes on from there");
            assertTrue(status == 128 + 2 || status == 128 + 15 || status == 0, () -> status + ": " + process.output());
            assertTrue(wasStopped || process.output().contains("ohlc: finished: "), process::output);
        }
        Cli.run(command).succeeded();

        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("out.csv")));
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_late_rows_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("out.late.csv")));
    }
}
