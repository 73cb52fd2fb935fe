package io.weir.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The recorded ticks under {@code data/}, read through {@link CsvLog} and checked against the answers beside them. */
class CsvTicksTest {
    private static final Path SET = Path.of("..", "..", "data", "crypto-ws");

    @Test
    void shouldSplitTicksBySourceAndCountThemPerKey() {
        try (CsvLog ticks = CsvLog.at(SET.resolve("ticks.csv.gz")).partitionedBy("source");
                CsvLog answers = CsvLog.at(SET.resolve("expected").resolve("trade_tumbling_1s.csv.gz"))) {
            final List<String> sources = new ArrayList<>(ticks.partitions());
            assertEquals(6, sources.size());
            final Map<String, Long> counts = new TreeMap<>();
            final CsvRow row = new CsvRow(ticks.header());
            final int source = row.column("source");
            final int key = row.column("key");
            final int arrival = row.column("arrival");
            final int eventNs = row.column("event_ns");
            final int price = row.column("price");
            for (int partition = 0; partition < sources.size(); partition++) {
                final String name = sources.get(partition);
                final long[] lastArrival = {-1};
                readAll(ticks, partition, (position, next, buffer, offset, length) -> {
                    row.wrap(buffer, offset, length);
                    assertEquals(name, row.asString(source));
                    assertTrue(row.asLong(arrival) >= lastArrival[0]);
                    assertTrue(row.asLong(eventNs) > 0 && row.asScaledLong(price, 10) > 0);
                    lastArrival[0] = row.asLong(arrival);
                    counts.merge(name + ' ' + row.asString(key), 1L, Long::sum);
                    return true;
                });
            }
            assertEquals(answersOf(answers), counts);
        }
    }

    private static Map<String, Long> answersOf(final CsvLog answers) {
        final Map<String, Long> counts = new TreeMap<>();
        final CsvRow row = new CsvRow(answers.header());
        readAll(answers, 0, (position, next, buffer, offset, length) -> {
            row.wrap(buffer, offset, length);
            counts.merge(
                    row.asString(row.column("source")) + ' ' + row.asString(row.column("key")),
                    row.asLong(row.column("count")),
                    Long::sum);
            return true;
        });
        return counts;
    }

    private static void readAll(final CsvLog log, final int partition, final LogHandler handler) {
        try (LogReader reader = log.open(partition, ReplayableLog.START)) {
            int count;
            do {
                count = reader.poll(handler, 64);
            } while (count != LogReader.END_OF_LOG);
        }
    }
}
