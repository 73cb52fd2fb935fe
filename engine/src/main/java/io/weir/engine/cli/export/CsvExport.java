package io.weir.engine.cli.export;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.file.WholeFile;
import io.weir.engine.cli.job.JobFolderException;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.LateRow;
import io.weir.engine.cli.job.Window;
import io.weir.storage.log.ReplayableLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Windows or late rows of a log as CSV: sorted, so that two runs with the same result give the same bytes, and each file as a
 * whole or not at all. Takes bounded memory, whatever their number. One thread.
 *
 * @param <T> type of the records.
 */
public final class CsvExport<T> implements AutoCloseable {
    private static final Comparator<String> BYTEWISE = CsvExport::compareBytes;
    private static final Comparator<Window> WINDOW_ORDER = Comparator.comparing(Window::source, BYTEWISE)
            .thenComparing(Window::key, BYTEWISE)
            .thenComparingLong(Window::startNs);
    /** Arrival should tell all apart; where it does not, equal rows are equal in everything. */
    private static final Comparator<LateRow> LATE_ORDER = Comparator.comparing(LateRow::source, BYTEWISE)
            .thenComparingLong(LateRow::arrival)
            .thenComparingLong(LateRow::sub)
            .thenComparing(LateRow::key, BYTEWISE)
            .thenComparingLong(LateRow::eventNs)
            .thenComparing(LateRow::id, BYTEWISE);

    private static final int SURROGATES = 0xD800;
    private static final int BEHIND_SURROGATES = 0xE000;

    private final List<String> columns;
    private final Function<? super T, List<String>> fields;
    private final ExternalSort<T> sort;

    private CsvExport(
            final List<String> columns,
            final Function<? super T, List<String>> fields,
            final Codec<T> codec,
            final Comparator<? super T> order,
            final Path scratch) {
        this.columns = columns;
        this.fields = fields;
        sort = new ExternalSort<>(scratch, codec, order);
    }

    /**
     * Windows: by source, key and start.
     *
     * @param kind of the job.
     * @param scratch folder for files while this is open.
     * @param <W> type of the windows.
     * @return an export without records.
     */
    public static <W extends Window> CsvExport<W> windows(final JobKind<?, ?, W> kind, final Path scratch) {
        return new CsvExport<>(kind.columns(), Window::fields, kind.windowCodec(), WINDOW_ORDER, scratch);
    }

    /**
     * Late rows: by source in order of arrival.
     *
     * @param idColumn name of the ids' column, null to tell rows by their place in the input.
     * @param scratch folder for files while this is open.
     * @return an export without records.
     */
    public static CsvExport<LateRow> lateRows(final String idColumn, final Path scratch) {
        final List<String> columns = idColumn == null
                ? List.of("source", "arrival", "sub", "key", "event_ns", "window_start_ns")
                : List.of(idColumn, "event_ns", "window_start_ns");
        return new CsvExport<>(
                columns,
                row -> idColumn == null
                        ? List.of(
                                row.source(),
                                Long.toString(row.arrival()),
                                Long.toString(row.sub()),
                                row.key(),
                                Long.toString(row.eventNs()),
                                Long.toString(row.windowStartNs()))
                        : List.of(row.id(), Long.toString(row.eventNs()), Long.toString(row.windowStartNs())),
                LateRow.codec(),
                LATE_ORDER,
                scratch);
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
     * Adds all records that a log holds now.
     *
     * @param log to read.
     * @return this.
     * @throws io.weir.storage.log.LogException if the log can't be read, or holds something else.
     * @throws JobFolderException if the scratch folder can't be written.
     */
    public CsvExport<T> read(final ReplayableLog log) {
        try {
            LogRecords.forEach(log, sort::add);
            return this;
        } catch (final UncheckedIOException e) {
            throw new JobFolderException(log.name() + " can't be sorted: " + WholeFile.reason(e.getCause()), e);
        }
    }

    /**
     * How many records were read.
     *
     * @return the rows of the file.
     */
    public long count() {
        return sort.count();
    }

    /**
     * The lines of the file, header first; once.
     *
     * @return an iterator that throws {@link UncheckedIOException}.
     */
    public Iterator<String> lines() {
        final Iterator<T> records = sort.sorted();
        return new Iterator<>() {
            private boolean isBegun;

            @Override
            public boolean hasNext() {
                return !isBegun || records.hasNext();
            }

            @Override
            public String next() {
                final List<String> row = isBegun ? fields.apply(records.next()) : columns;
                isBegun = true;
                return row.stream().map(CsvExport::quoted).collect(Collectors.joining(","));
            }
        };
    }

    /**
     * Writes the file as a whole; once.
     *
     * @param file to write or replace.
     * @throws JobFolderException if it can't be written; an older file is then still there.
     */
    public void write(final Path file) {
        try {
            WholeFile.write(file, this::lines);
        } catch (final IOException e) {
            throw new JobFolderException(file + " can't be written: " + WholeFile.reason(e), e);
        } catch (final UncheckedIOException e) {
            throw new JobFolderException(file + " can't be written: " + WholeFile.reason(e.getCause()), e);
        }
    }

    @Override
    public void close() {
        sort.close();
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

    /** As the bytes of UTF-8, which is the order of code points. */
    private static int compareBytes(final String left, final String right) {
        final int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            if (left.charAt(i) != right.charAt(i)) {
                return Integer.compare(rank(left.charAt(i)), rank(right.charAt(i)));
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** Half of a pair stands for a code point behind all that have one char. */
    private static int rank(final char c) {
        return c >= SURROGATES && c < BEHIND_SURROGATES ? c + BEHIND_SURROGATES : c;
    }
}
