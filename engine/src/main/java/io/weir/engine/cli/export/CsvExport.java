package io.weir.engine.cli.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.engine.cli.file.WholeFile;
import io.weir.engine.cli.job.JobFolderException;
import io.weir.engine.cli.job.LateRow;
import io.weir.engine.cli.job.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes windows and late rows as CSV: sorted, so that two runs with the same result give the same bytes, and each file as a
 * whole or not at all. Sorts in memory.
 */
public final class CsvExport {
    private static final Comparator<String> BYTEWISE = CsvExport::compareBytes;
    private static final Comparator<Window> WINDOW_ORDER = Comparator.comparing(Window::source, BYTEWISE)
            .thenComparing(Window::key, BYTEWISE)
            .thenComparingLong(Window::startNs);
    private static final Comparator<LateRow> LATE_ORDER = Comparator.comparing(LateRow::source, BYTEWISE)
            .thenComparingLong(LateRow::arrival)
            .thenComparingLong(LateRow::sub);

    private CsvExport() {}

    /**
     * Windows as lines: by source, key and start.
     *
     * @param columns header.
     * @param windows in any order.
     * @return lines, header first.
     */
    public static List<String> windows(final List<String> columns, final List<? extends Window> windows) {
        return lines(columns, windows.stream().sorted(WINDOW_ORDER).map(Window::fields));
    }

    /**
     * Late rows as lines: by source in order of arrival.
     *
     * @param idColumn name of the ids' column, null to tell rows by their place in the input.
     * @param rows in any order.
     * @return lines, header first.
     */
    public static List<String> lateRows(final String idColumn, final List<LateRow> rows) {
        final List<String> columns = idColumn == null
                ? List.of("source", "arrival", "sub", "key", "event_ns", "window_start_ns")
                : List.of(idColumn, "event_ns", "window_start_ns");
        return lines(
                columns,
                rows.stream()
                        .sorted(LATE_ORDER)
                        .map(row -> idColumn == null
                                ? List.of(
                                        row.source(),
                                        Long.toString(row.arrival()),
                                        Long.toString(row.sub()),
                                        row.key(),
                                        Long.toString(row.eventNs()),
                                        Long.toString(row.windowStartNs()))
                                : List.of(row.id(), Long.toString(row.eventNs()), Long.toString(row.windowStartNs()))));
    }

    /**
     * The file of late rows beside one of windows.
     *
     * @param windows for example {@code out.csv}.
     * @return for example {@code out.late.csv}.
     */
    public static Path lateFile(final Path windows) {
        final String name = windows.getFileName().toString();
        final String stem = name.endsWith(".csv") ? name.substring(0, name.length() - ".csv".length()) : name;
        return windows.resolveSibling(stem + ".late.csv");
    }

    /**
     * Checks early that a file can be written later.
     *
     * @param file to be written.
     * @throws JobFolderException if it can't; the message says why.
     */
    public static void checkWritable(final Path file) {
        final Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new JobFolderException(file + " is a folder");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new JobFolderException(file + " is no regular file, and would be replaced by one");
        }
        if (!Files.isDirectory(folder)) {
            throw new JobFolderException(file + " can't be written: there is no folder " + folder);
        }
        if (!Files.isWritable(folder)) {
            throw new JobFolderException(file + " can't be written: permission denied for " + folder);
        }
    }

    /**
     * Writes a file as a whole.
     *
     * @param file to write or replace.
     * @param lines of the file.
     * @throws JobFolderException if it can't be written; an older file is then still there.
     */
    public static void write(final Path file, final List<String> lines) {
        try {
            WholeFile.write(file, lines);
        } catch (final IOException e) {
            throw new JobFolderException(file + " can't be written: " + WholeFile.reason(e), e);
        }
    }

    private static List<String> lines(final List<String> columns, final Stream<List<String>> rows) {
        return Stream.concat(Stream.of(columns), rows)
                .map(fields -> fields.stream().map(CsvExport::quoted).collect(Collectors.joining(",")))
                .toList();
    }

    private static String quoted(final String field) {
        for (int i = 0; i < field.length(); i++) {
            final char at = field.charAt(i);
            if (at == ',' || at == '"' || at == '\n' || at == '\r') {
                return '"' + field.replace("\"", "\"\"") + '"';
            }
        }
        return field;
    }

    private static int compareBytes(final String left, final String right) {
        return left.equals(right) ? 0 : Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8));
    }
}
