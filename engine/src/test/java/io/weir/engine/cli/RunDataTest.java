package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.cli.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole engine against the answers of the data sets. */
class RunDataTest {
    private static final String DISORDERED = "bitstamp-trades/ticks_disordered.csv";
    private static final String LATE = "bitstamp-trades/expected/disordered_dedup_late_rows_60s_bound_5s.csv";
    private static final String ON_TIME = "bitstamp-trades/expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv";

    @TempDir
    private Path temp;

    @ParameterizedTest
    @CsvSource({
        "1s, bitstamp-trades/expected/tumbling_1s.csv",
        "60s, bitstamp-trades/expected/tumbling_60s.csv",
        "3600s, bitstamp-trades/expected/tumbling_3600s.csv"
    })
    void shouldEqualTheAnswersOnTheOrderedFeed(final String window, final String expected) {
        final List<String> windows = windows("ohlc", DataSets.file("bitstamp-trades/ticks.csv"), "--window", window);

        assertSame(expected, windows);
        assertEquals(List.of("source,arrival,sub,key,event_ns,window_start_ns"), lateRows());
    }

    @ParameterizedTest
    @CsvSource({
        "1s, bitstamp-trades/expected/tumbling_1s.csv",
        "60s, bitstamp-trades/expected/tumbling_60s.csv",
        "3600s, bitstamp-trades/expected/tumbling_3600s.csv"
    })
    void shouldEqualTheAnswersOnTheDisorderedFeedWithoutItsRepeats(final String window, final String expected) {
        final List<String> windows =
                windows("ohlc", DataSets.file(DISORDERED), "--window", window, "--lateness", "600s", "--dedup", "id");

        assertSame(expected, windows);
        assertEquals(List.of("id,event_ns,window_start_ns"), lateRows());
    }

    @ParameterizedTest
    @CsvSource({"1, --unaligned", "2, --at-least-once", "4, --unaligned=1ms"})
    void shouldFindTheSameRecordsLateAtEveryParallelismWhateverTheBarriersDo(
            final String parallelism, final String barriers) {
        final List<String> windows =
                windows("ohlc", DataSets.file(DISORDERED), "--dedup", "id", "--parallelism", parallelism, barriers);

        assertSame(ON_TIME, windows);
        assertSame(LATE, lateRows());
    }

    /** Ties are broken by id in the answers and by arrival without dedup: open and close are left to the accumulator's test. */
    @Test
    void shouldCountRepeatsWithoutDedup() {
        final List<String> windows = windows("ohlc", DataSets.file(DISORDERED), "--lateness", "600s");

        final UnaryOperator<String> withoutOpenAndClose = line -> {
            final List<String> fields = new ArrayList<>(List.of(line.split(",", -1)));
            fields.remove(8);
            fields.remove(5);
            return String.join(",", fields);
        };
        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_no_dedup_tumbling_60s.csv").stream()
                        .map(withoutOpenAndClose)
                        .toList(),
                windows.stream().map(withoutOpenAndClose).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "1s, 1, crypto-ws/expected/trade_tumbling_1s.csv",
        "1s, 2, crypto-ws/expected/trade_tumbling_1s.csv",
        "1s, 4, crypto-ws/expected/trade_tumbling_1s.csv",
        "10s, 2, crypto-ws/expected/trade_tumbling_10s.csv"
    })
    void shouldEqualTheAnswersOnTradesOfSixVenues(
            final String window, final String parallelism, final String expected) {
        final List<String> windows = windows(
                "ohlc",
                DataSets.file("crypto-ws/ticks.csv"),
                "--window",
                window,
                "--lateness",
                "1d",
                "--parallelism",
                parallelism);

        assertSame(expected, windows);
    }

    @ParameterizedTest
    @CsvSource({
        "1h, 1, nab-metrics/expected/tumbling_1h.csv",
        "1h, 4, nab-metrics/expected/tumbling_1h.csv",
        "1d, 2, nab-metrics/expected/tumbling_1d.csv"
    })
    void shouldEqualTheAnswersOnMetrics(final String window, final String parallelism, final String expected) {
        final List<String> windows = windows(
                "stats",
                DataSets.file("nab-metrics/metrics.csv"),
                "--window",
                window,
                "--lateness",
                "1h",
                "--parallelism",
                parallelism);

        assertSame(expected, windows);
    }

    @Test
    void shouldFindTheLateRowsOfAllStreamsOfAVenueTogether() throws IOException {
        final Path merged = mergedStreams();

        windows("stats", merged, "--window", "100ms", "--lateness", "50ms", "--parallelism", "2");

        assertSame("crypto-ws/expected/late_rows_100ms_bound_50ms.csv", lateRows());
    }

    @Test
    void shouldCountTheLateRowsOfTheVenuesUnderEveryBound() throws IOException {
        final Path merged = mergedStreams();

        assertLateSummary("stats", merged, DataSets.lines("crypto-ws/expected/late_summary.csv"));
    }

    @Test
    void shouldCountTheLateRowsOfMetricsUnderEveryBound() {
        assertLateSummary(
                "stats",
                DataSets.file("nab-metrics/metrics.csv"),
                DataSets.lines("nab-metrics/expected/late_summary.csv"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw", "dedup"})
    void shouldCountTheLateRowsOfTheDisorderedFeedUnderEveryBound(final String feed) {
        final List<String> summary = DataSets.lines("bitstamp-trades/expected/disordered_late_summary.csv").stream()
                .filter(line -> line.startsWith(feed + ",") || line.startsWith("feed,"))
                .map(line -> line.substring(line.indexOf(',') + 1))
                .toList();

        final String[] dedup = feed.equals("raw") ? new String[] {} : new String[] {"--dedup", "id"};
        assertLateSummary("ohlc", DataSets.file(DISORDERED), summary, dedup);
    }

    /** Lines are {@code source,window_ns,bound_ns,records,late}. */
    private void assertLateSummary(
            final String job, final Path input, final List<String> summary, final String... more) {
        final Map<String, Map<String, Long>> expected = new TreeMap<>();
        for (final String line : summary.subList(1, summary.size())) {
            final String[] fields = line.split(",");
            expected.computeIfAbsent(fields[1] + "ns " + fields[2] + "ns", key -> new TreeMap<>())
                    .put(fields[0], Long.parseLong(fields[4]));
        }
        expected.forEach((bounds, latePerSource) -> {
            final String[] windowAndBound = bounds.split(" ");
            final List<Object> options = new ArrayList<>(
                    List.of("--window", windowAndBound[0], "--lateness", windowAndBound[1], "--parallelism", "2"));
            options.addAll(List.of(more));
            windows(job, input, options.toArray());
            final List<String> late = lateRows();
            final Map<String, Long> actual = more.length == 0
                    ? late.stream()
                            .skip(1)
                            .collect(Collectors.groupingBy(line -> line.split(",")[0], Collectors.counting()))
                    : Map.of(latePerSource.keySet().iterator().next(), late.size() - 1L);
            latePerSource.forEach(
                    (source, count) -> assertEquals(count, actual.getOrDefault(source, 0L), source + " " + bounds));
        });
    }

    /** All three streams of the venues in order of arrival, without the rows of book snapshots. */
    private Path mergedStreams() throws IOException {
        record Entry(String source, long arrival, long sub, String line) {}
        final List<Entry> entries = new ArrayList<>();
        for (final String table : List.of("ticks", "quotes", "book")) {
            final List<String> lines = DataSets.lines("crypto-ws/" + table + ".csv");
            final List<String> header = List.of(lines.get(0).split(","));
            for (final String line : lines.subList(1, lines.size())) {
                final String[] fields = line.split(",", -1);
                if (header.contains("action") && fields[header.indexOf("action")].equals("S")) {
                    continue;
                }
                entries.add(new Entry(
                        fields[0],
                        Long.parseLong(fields[1]),
                        Long.parseLong(fields[2]),
                        String.join(
                                ",",
                                fields[0],
                                fields[1],
                                fields[2],
                                fields[3],
                                fields[header.indexOf("event_ns")],
                                "1")));
            }
        }
        entries.sort(Comparator.comparing(Entry::source)
                .thenComparingLong(Entry::arrival)
                .thenComparingLong(Entry::sub));
        final Path merged = temp.resolve("merged.csv");
        final List<String> lines = new ArrayList<>(List.of("source,arrival,sub,key,event_ns,value"));
        entries.forEach(entry -> lines.add(entry.line()));
        return Files.write(merged, lines);
    }

    private List<String> windows(final String job, final Path input, final Object... options) {
        final Path output = temp.resolve("out-" + System.nanoTime());
        final List<Object> args = new ArrayList<>(
                List.of("run", job, "--input", input, "--output", output, "--csv", temp.resolve("out.csv")));
        args.addAll(List.of(options));
        Cli.run(args.toArray()).succeeded();
        return DataSets.lines(temp.resolve("out.csv"));
    }

    private List<String> lateRows() {
        return DataSets.lines(temp.resolve("out.late.csv"));
    }

    private static void assertSame(final String expected, final List<String> actual) {
        assertEquals(String.join("\n", DataSets.lines(expected)), String.join("\n", actual));
    }
}
