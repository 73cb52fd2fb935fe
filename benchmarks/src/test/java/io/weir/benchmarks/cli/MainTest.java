package io.weir.benchmarks.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The commands run, in a moment that makes no figure worth reading. */
final class MainTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "barriers ", "commit ", "jmh ", "recovery ", "state ", "transport "})
    void shouldHaveHelpEverywhere(final String command) {
        final String out = succeeded((command + "--help").split(" "));

        assertTrue(out.startsWith("Usage: weir bench " + command), out);
    }

    @Test
    void shouldListTheBenchmarksOfJmh() {
        final String out = succeeded("jmh", "-l");

        assertTrue(out.contains("io.weir.benchmarks.engine.FlyweightPipelineBenchmark.count"), out);
        assertTrue(out.contains("io.weir.benchmarks.engine.CodecBenchmark.decodeText"), out);
        assertTrue(out.contains("io.weir.benchmarks.transport.FrameBenchmark.walk"), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FrameBenchmark", "CodecBenchmark", "FlyweightPipelineBenchmark.*"})
    void shouldRunWhatMatches(final String pattern) {
        final String out = succeeded(
                "jmh", pattern, "-p", "workers=1", "-f", "0", "-wi", "0", "-i", "1", "-r", "1ms", "-prof", "gc");

        assertTrue(
                out.matches("(?s)time  .*machine  .*java  .*flags  .*others +before the start.*others +meanwhile.*"),
                out);
        assertTrue(out.contains("gc.alloc.rate.norm"), out);
    }

    @Test
    void shouldPrintALineForEachBatchSizeAndLane() {
        final String out = succeeded("transport", "--seconds", "0.01", "--rounds", "1");

        assertEquals(
                5, out.lines().filter(line -> line.matches("\\d+ +channel .*")).count(), out);
        assertEquals(
                15, out.lines().filter(line -> line.matches("\\d+ +raw .*")).count(), out);
        assertTrue(
                out.matches("(?s)time  .*machine  .*java  .*flags  .*others +before the start.*others +meanwhile.*"),
                out);
    }

    @Test
    void shouldPrintALineForEachKindOfBarriers() {
        final String out = succeeded(
                "barriers", "--seconds", "0.001", "--rounds", "1", "--work-us", "20", "--in-flight-kib", "64,128");

        for (final String inFlight : List.of("64", "128")) {
            for (final String kind : List.of("aligned", "unaligned", "timeout 10 ms")) {
                assertTrue(
                        out.lines().anyMatch(line -> line.matches("20 +" + inFlight + " +" + kind + " +\\d+ +\\d.*")),
                        out);
            }
        }
    }

    @Test
    void shouldPrintLatenciesAndWhatGrows() {
        final String out = succeeded("commit", "--seconds", "2", "--rate", "2000", "--restarts", "2");

        assertTrue(out.contains("2,000 records/s for 2 s, checkpoints every 10 ms, 2 restarts (seed 1) at once"), out);
        for (final String title :
                List.of("commit latency, us, all", "without records that a restart", "duration, us")) {
            assertTrue(out.matches("(?s).*" + title + "[^\n]*\n\\s+Value.*#\\[Mean.*"), out);
        }
        assertTrue(out.matches("(?s).*restarts: 2; .*"), out);
        for (final String what :
                List.of("checkpoint folder, files", "direct memory, bytes", "threads", "output queue")) {
            assertTrue(out.lines().anyMatch(line -> line.matches(what + ".* [\\d,]+ +[\\d,]+")), out);
        }
    }

    @Test
    void shouldPrintHowSoonOutputGoesOn() {
        final String out = succeeded("recovery", "--kills", "1", "--rate", "2000");

        assertTrue(out.matches("(?s).*a reader sees its first output +1 +\\d.*the kill +1 +\\d.*"), out);
        assertTrue(out.matches("(?s).*all tasks run again +1 +\\d.*after the exception +1 +\\d.*"), out);
    }

    @Test
    void shouldPrintATableForEachPartOfState() {
        final String out = succeeded("state", "--keys", "2000,3000", "--rounds", "1", "--restore-mib", "1");

        for (final String keys : List.of("2000", "3000")) {
            for (final String contender : List.of(
                    "Agrona map", "pages", "heap", "RocksDB", "pages, batches of 32", "2 x 1000 updates", "all")) {
                assertTrue(out.lines().anyMatch(line -> line.matches(keys + " +" + contender + " +\\d.*")), out);
            }
        }
        assertTrue(out.matches("(?s).*ratio of p99s\\s+2000 +\\d.*ratio of p99s\\s+3000 +\\d.*"), out);
        assertTrue(out.matches("(?s).*\\d+ +pages +\\d+ +\\d.*\\d+ +RocksDB +\\d.*"), out);
    }

    @Test
    void shouldMeasureThePartsOfStateThatAreNamed() {
        final String out = succeeded("state", "--parts", "freeze", "--keys", "1000", "--rounds", "1");

        assertTrue(out.contains("all pages new"), out);
        assertTrue(!out.contains("Agrona map") && !out.contains("restore"), out);
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertEquals(
                "weir bench state: --keys=0 must be in [1, 100000000] (see weir bench state --help)",
                failed("state", "--keys", "0"));
        assertEquals(
                "weir bench commit: --rate=0 must be in [1, 10000000] (see weir bench commit --help)",
                failed("commit", "--rate", "0"));
        assertEquals(
                "weir bench recovery: --kills=0 must be in [1, 10000] (see weir bench recovery --help)",
                failed("recovery", "--kills", "0"));
        assertEquals(
                "weir bench state: --folder=/nowhere is not a folder (see weir bench state --help)",
                failed("state", "--folder", "/nowhere"));
        assertEquals(
                "weir bench barriers: --in-flight-kib=100 must be a power of two (see weir bench barriers --help)",
                failed("barriers", "--in-flight-kib", "64,100"));
        assertEquals(
                "weir bench transport: --rounds=0 must be >= 1 (see weir bench transport --help)",
                failed("transport", "--rounds", "0"));
        assertEquals(
                "weir bench transport: --seconds=NaN must be in [0.001, 3600] (see weir bench transport --help)",
                failed("transport", "--seconds", "NaN"));
        assertTrue(failed("jmh", "--nonsense").startsWith("weir bench jmh: JMH: "), "JMH's own words");
        assertTrue(failed("latencies").startsWith("weir bench: Unmatched argument at index 0: 'latencies'"));
    }

    @Test
    void shouldSayThatNoBenchmarkMatches() {
        final Result result = run("jmh", "Nothing");

        assertEquals(2, result.status(), result::out);
        assertTrue(result.err().startsWith("weir bench jmh: no benchmark matches Nothing; -l lists them"), result::err);
    }

    private static String succeeded(final String... words) {
        final Result result = run(words);
        assertEquals(0, result.status(), () -> result.out() + result.err());
        return result.out();
    }

    private static String failed(final String... words) {
        final Result result = run(words);
        assertEquals(2, result.status(), () -> result.out() + result.err());
        assertEquals("", result.out());
        return result.err().strip();
    }

    private static Result run(final String... words) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final StringWriter err = new StringWriter();
        final PrintStream out = System.out;
        final int status;
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            final CommandLine commandLine = Main.commandLine();
            status = commandLine
                    .setOut(new PrintWriter(System.out, true, UTF_8))
                    .setErr(new PrintWriter(err, true))
                    .execute(words);
        } finally {
            System.setOut(out);
        }
        return new Result(status, bytes.toString(UTF_8), err.toString());
    }

    private record Result(int status, String out, String err) {}
}
