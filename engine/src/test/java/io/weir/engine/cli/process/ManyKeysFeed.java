package io.weir.engine.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.engine.cli.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The first of the disordered trades, spread by their ids over several sources and keys, so that every subtask of a parallel job has work.
 * A repeat has the id of its first, and so stays in its source. Some lines are bad.
 */
final class ManyKeysFeed {
    static final int SOURCES = 3;
    private static final int KEYS = 3;
    private static final int RECORDS = 9_000;
    private static final int GOOD_PER_BAD = 500;
    static final int BAD_RECORDS = RECORDS / GOOD_PER_BAD;

    private ManyKeysFeed() {}

    /** Writes the feed as CSV; gives the file. */
    static Path write(final Path file) throws IOException {
        final List<String> lines = DataSets.lines("bitstamp-trades/ticks_disordered.csv");
        final List<String> header = Arrays.asList(lines.get(0).split(",", -1));
        final int source = header.indexOf("source");
        final int key = header.indexOf("key");
        final int id = header.indexOf("id");
        final int price = header.indexOf("price");
        int good = 0;
        final List<String> spread = new ArrayList<>(1 + RECORDS);
        spread.add(lines.get(0));
        for (final String line : lines.subList(1, 1 + RECORDS)) {
            final String[] fields = line.split(",", -1);
            final long number = Long.parseLong(fields[id]);
            fields[source] = "S" + number % SOURCES;
            fields[key] = "K" + number / SOURCES % KEYS;
            spread.add(String.join(",", fields));
            if (++good % GOOD_PER_BAD == 0) {
                fields[price] = "none";
                spread.add(String.join(",", fields));
            }
        }
        return Files.write(file, spread, UTF_8);
    }
}
