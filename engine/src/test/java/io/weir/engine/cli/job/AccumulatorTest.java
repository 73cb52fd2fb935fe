package io.weir.engine.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.data.DataSets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccumulatorTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "bitstamp-trades/ticks.csv, 1, bitstamp-trades/expected/tumbling_1s.csv",
        "bitstamp-trades/ticks.csv, 60, bitstamp-trades/expected/tumbling_60s.csv",
        "bitstamp-trades/ticks.csv, 3600, bitstamp-trades/expected/tumbling_3600s.csv",
        "crypto-ws/ticks.csv, 1, crypto-ws/expected/trade_tumbling_1s.csv",
        "crypto-ws/ticks.csv, 10, crypto-ws/expected/trade_tumbling_10s.csv"
    })
    void shouldFoldTicksToTheExpectedWindows(final String input, final long seconds, final String expected) {
        final List<Tick> ticks = CsvRows.decode(DataSets.lines(input), header -> CsvCodec.ticks(header, null));

        final List<String> actual = ohlc(ticks, seconds * SECOND_NS);

        assertSameLines(DataSets.lines(expected), actual);
    }

    @Test
    void shouldFoldDisorderedTicksWithoutRepeatsToTheWindowsOfTheOrderedOnes() {
        final Set<String> seen = new HashSet<>();
        final List<Tick> ticks = new ArrayList<>(
                CsvRows.decode(DataSets.lines("bitstamp-trades/ticks_disordered.csv"), h -> CsvCodec.ticks(h, "id")));
        ticks.removeIf(tick -> !seen.add(tick.id()));

        final List<String> actual = ohlc(ticks, 60 * SECOND_NS);

        assertSameLines(DataSets.lines("bitstamp-trades/expected/tumbling_60s.csv"), actual);
    }

    @Test
    void shouldFoldRepeatsTwiceWhenTheyAreKept() {
        final List<Tick> ticks =
                CsvRows.decode(DataSets.lines("bitstamp-trades/ticks_disordered.csv"), h -> CsvCodec.ticks(h, "id"));

        final List<String> actual = ohlc(ticks, 60 * SECOND_NS);

        assertSameLines(DataSets.lines("bitstamp-trades/expected/disordered_no_dedup_tumbling_60s.csv"), actual);
    }

    @Test
    void shouldNotDependOnTheOrderOfTheRecords() {
        final long seed = System.nanoTime();
        final List<Tick> ticks = new ArrayList<>(
                CsvRows.decode(DataSets.lines("crypto-ws/ticks.csv"), header -> CsvCodec.ticks(header, null)));
        final List<String> expected = ohlc(ticks, SECOND_NS);

        Collections.shuffle(ticks, new Random(seed));
        final List<String> actual = ohlc(ticks, SECOND_NS);

        assertEquals(expected, actual, () -> "seed " + seed);
    }

    @ParameterizedTest
    @CsvSource({"3600, nab-metrics/expected/tumbling_1h.csv", "86400, nab-metrics/expected/tumbling_1d.csv"})
    void shouldFoldMetricsToTheExpectedWindows(final long seconds, final String expected) {
        final List<Metric> metrics =
                CsvRows.decode(DataSets.lines("nab-metrics/metrics.csv"), header -> CsvCodec.metrics(header, null));

        final List<String> actual = fold(
                metrics,
                seconds * SECOND_NS,
                Stats::empty,
                Stats::plus,
                Codec.ofRecord(Stats.class),
                StatsWindow.COLUMNS,
                Stats::window);

        assertSameLines(DataSets.lines(expected), actual);
    }

    private static List<String> ohlc(final List<Tick> ticks, final long windowNs) {
        return fold(
                ticks, windowNs, Ohlc::empty, Ohlc::plus, Codec.ofRecord(Ohlc.class), OhlcWindow.COLUMNS, Ohlc::window);
    }

    /** Folds as keyed state would: between any two records the accumulator is bytes. */
    private static <T extends Row, A> List<String> fold(
            final List<T> rows,
            final long windowNs,
            final Supplier<A> create,
            final BiFunction<A, T, A> add,
            final Codec<A> codec,
            final List<String> columns,
            final Result<A> result) {
        record Group(String source, String key, long startNs) implements Comparable<Group> {
            @Override
            public int compareTo(final Group other) {
                final int order = source.compareTo(other.source);
                final int order2 = order == 0 ? key.compareTo(other.key) : order;
                return order2 == 0 ? Long.compare(startNs, other.startNs) : order2;
            }
        }
        final Map<Group, A> groups = new TreeMap<>();
        for (final T row : rows) {
            final long startNs = Math.floorDiv(row.eventNs(), windowNs) * windowNs;
            final Group group = new Group(row.source(), row.key(), startNs);
            final A before = groups.containsKey(group) ? groups.get(group) : create.get();
            groups.put(group, copy(add.apply(before, row), codec));
        }
        return Stream.concat(
                        Stream.of(String.join(",", columns)),
                        groups.entrySet().stream()
                                .map(entry -> String.join(
                                        ",",
                                        result.window(
                                                        entry.getValue(),
                                                        entry.getKey().startNs(),
                                                        entry.getKey().startNs() + windowNs)
                                                .fields())))
                .toList();
    }

    private static <A> A copy(final A value, final Codec<A> codec) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = codec.encode(value, buffer, 8);
        return codec.decode(buffer, 8, length);
    }

    private static void assertSameLines(final List<String> expected, final List<String> actual) {
        assertLinesMatch(expected.stream().map(Pattern::quote).toList(), actual);
    }

    private interface Result<A> {
        Window window(A accumulator, long startNs, long endNs);
    }
}
