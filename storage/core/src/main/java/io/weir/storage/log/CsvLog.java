package io.weir.storage.log;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.FileStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A CSV file with a header line as replayable log: {@code FILE.csv}, or {@code FILE.csv.gz} which is inflated into a
 * temporary file first. A record is the bytes of one row without line end (RFC 4180); read it with a {@link CsvRow} over
 * {@link #header}. A position is the byte offset of the row in the inflated text, so it stays good as long as the file does.
 *
 * <p>The file is opened, checked and indexed once, when it is first asked for something. UTF-8; a byte order mark and empty
 * lines are skipped; line ends are LF or CRLF. A line end inside quotes belongs to its row; where the quotes are wrong, the
 * row ends with its line, and the {@link CsvRow} refuses it. Safe for several threads; each reader for one.
 */
public final class CsvLog implements ReplayableLog, AutoCloseable {
    private static final int BYTE_ORDER_MARK_LENGTH = 3;

    private final FileStore files;
    private final Path path;
    private final Path tempFolder;
    private final String partitionColumn;
    private CsvFile file;
    private List<String> header;
    private CsvIndex index;
    private boolean isClosed;

    CsvLog(final FileStore files, final Path path, final Path tempFolder, final String partitionColumn) {
        this.files = files;
        this.path = Objects.requireNonNull(path, "path");
        this.tempFolder = Objects.requireNonNull(tempFolder, "tempFolder");
        this.partitionColumn = partitionColumn;
    }

    /**
     * A log of one partition over a file. Nothing is read yet.
     *
     * @param path of the file; a name that ends in {@code .gz} is inflated.
     * @return the log.
     */
    public static CsvLog at(final Path path) {
        return new CsvLog(new DiskFileStore(), path, Path.of(System.getProperty("java.io.tmpdir")), null);
    }

    /**
     * The same file with one partition for each value of a column, in order of first appearance.
     *
     * @param column name.
     * @return a log of its own.
     */
    public CsvLog partitionedBy(final String column) {
        return new CsvLog(files, path, tempFolder, Objects.requireNonNull(column, "column"));
    }

    /**
     * The same file, inflated into a folder of choice.
     *
     * @param folder that exists; by default {@code java.io.tmpdir}.
     * @return a log of its own.
     */
    public CsvLog inflatedIn(final Path folder) {
        return new CsvLog(files, path, folder, partitionColumn);
    }

    @Override
    public String name() {
        return path.toString();
    }

    /**
     * The columns. May block: opens the file.
     *
     * @return names in file order.
     * @throws LogException if the file is missing or has no header.
     */
    public synchronized List<String> header() {
        ensureOpen();
        return header;
    }

    @Override
    public synchronized List<String> partitions() {
        ensureOpen();
        return index.names();
    }

    @Override
    public synchronized LogReader open(final int partition, final long position) {
        ensureOpen();
        if (partition < 0 || partition >= index.names().size()) {
            throw new LogException(path + " has no partition " + partition + ", only "
                    + index.names().size());
        }
        if (position < 0 || position > file.size()) {
            throw new LogException(path + " ends at " + file.size() + " and does not reach position " + position
                    + ": it has shrunk, or is another file");
        }
        if (position > 0 && position < file.size() && !isRowStart(position)) {
            throw new LogException(path + ": no row begins at position " + position + ": it is another file");
        }
        return new CsvReader(file, index.runs(partition), position);
    }

    /** Unmaps the file; readers must be closed before. Idempotent. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (file != null) {
            file.close();
            file = null;
        }
    }

    /** Rows that were appended to a file without final line end begin with one. */
    private boolean isRowStart(final long position) {
        final byte at = file.byteAt(position);
        return file.byteAt(position - 1) == '\n' || at == '\n' || at == '\r';
    }

    private void ensureOpen() {
        if (isClosed) {
            throw new LogException(path + " is closed");
        }
        if (file != null) {
            return;
        }
        final CsvFile opened = CsvFile.open(files, path, tempFolder);
        try {
            final CsvScanner scanner = new CsvScanner(opened);
            if (!scanner.next(textStart(opened), opened.size())) {
                throw new LogException(path + " has no header line");
            }
            header = split(scanner);
            final CsvRow row = new CsvRow(header);
            index = partitionColumn == null
                    ? CsvIndex.whole(opened, scanner.nextPosition())
                    : CsvIndex.byColumn(opened, scanner.nextPosition(), row, row.column(partitionColumn));
            file = opened;
        } catch (final LogException ex) {
            opened.close();
            throw ex.getMessage().startsWith(path.toString())
                    ? ex
                    : new LogException(path + ": " + ex.getMessage(), ex);
        }
    }

    private static long textStart(final CsvFile file) {
        final boolean isMarked = file.size() >= BYTE_ORDER_MARK_LENGTH
                && file.byteAt(0) == (byte) 0xEF
                && file.byteAt(1) == (byte) 0xBB
                && file.byteAt(2) == (byte) 0xBF;
        return isMarked ? BYTE_ORDER_MARK_LENGTH : 0;
    }

    /** The header tells how many columns there are, so it is cut at the commas outside quotes first. */
    private static List<String> split(final CsvScanner scanner) {
        int fields = 1;
        boolean isQuoted = false;
        for (int i = 0; i < scanner.length(); i++) {
            final byte b = scanner.buffer().getByte(scanner.offset() + i);
            isQuoted ^= b == '"';
            fields += b == ',' && !isQuoted ? 1 : 0;
        }
        final List<String> numbers = new ArrayList<>();
        for (int i = 0; i < fields; i++) {
            numbers.add("header field " + (i + 1));
        }
        final CsvRow row = new CsvRow(numbers);
        row.wrap(scanner.buffer(), scanner.offset(), scanner.length());
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < fields; i++) {
            names.add(row.asString(i));
        }
        return List.copyOf(names);
    }
}
