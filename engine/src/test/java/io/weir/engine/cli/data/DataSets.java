package io.weir.engine.cli.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds the data sets: the full ones in {@code ../shared/data} beside the repository where that folder exists, otherwise the
 * small ones that are committed in {@code data}. Which one served is printed.
 */
public final class DataSets {
    private static final Path REPOSITORY = repository();
    private static final Path FULL = REPOSITORY.resolveSibling("shared").resolve("data");
    private static final Path COMMITTED = REPOSITORY.resolve("data");

    private DataSets() {}

    /**
     * The root folder of the repository.
     *
     * @return absolute path.
     */
    public static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("checkstyle.xml"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException(
                        "no repository above " + Path.of("").toAbsolutePath());
            }
        }
        return folder;
    }

    /**
     * Asks where data come from.
     *
     * @return whether the full sets are there.
     */
    public static boolean isFull() {
        return Files.isDirectory(FULL);
    }

    /**
     * Finds a file of the data sets, with or without {@code .gz}. The test is skipped if it isn't there.
     *
     * @param name such as {@code bitstamp-trades/ticks.csv}.
     * @return its path.
     */
    public static Path file(final String name) {
        final Path folder = isFull() ? FULL : COMMITTED;
        final Optional<Path> found = Optional.of(folder.resolve(name))
                .filter(Files::exists)
                .or(() -> Optional.of(folder.resolve(name + ".gz")).filter(Files::exists));
        if (found.isEmpty()) {
            report("SKIPPED: " + name + " is neither in " + FULL + " nor in the committed set");
        }
        Assumptions.assumeTrue(found.isPresent(), () -> name + " is not in the data set");
        report((isFull() ? "full set: " : "committed set: ") + name);
        return found.get();
    }

    /**
     * Reads a file of the data sets.
     *
     * @param name as in {@link #file}.
     * @return its lines, header included.
     */
    public static List<String> lines(final String name) {
        return lines(file(name));
    }

    /**
     * Reads a file, packed if its name ends in {@code .gz}.
     *
     * @param path of the file.
     * @return its lines.
     */
    public static List<String> lines(final Path path) {
        try (InputStream raw = Files.newInputStream(path);
                InputStream in = path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            return reader.lines().toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void report(final String line) {
        System.out.println("data: " + line);
    }
}
