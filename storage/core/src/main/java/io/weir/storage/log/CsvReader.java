package io.weir.storage.log;

/** Reads one partition of a {@link CsvLog}. */
final class CsvReader implements LogReader {
    private final CsvFile file;
    private final CsvIndex.Runs runs;
    private final CsvScanner scanner;
    private int run;
    private long position;
    private boolean isClosed;

    CsvReader(final CsvFile file, final CsvIndex.Runs runs, final long position) {
        this.file = file;
        this.runs = runs;
        this.scanner = new CsvScanner(file);
        this.run = runs.firstBehind(position);
        this.position = run < runs.count() ? Math.max(position, runs.start(run)) : Math.max(position, file.size());
    }

    @Override
    public int poll(final LogHandler handler, final int limit) {
        if (isClosed) {
            throw new LogException("the reader of " + file.path() + " is closed");
        }
        int count = 0;
        try {
            while (count < limit) {
                if (run == runs.count()) {
                    return count == 0 ? END_OF_LOG : count;
                }
                if (!scanner.next(position, runs.end(run))) {
                    nextRun();
                    continue;
                }
                final long at = scanner.position();
                position = scanner.nextPosition();
                if (position >= runs.end(run)) {
                    nextRun();
                }
                count++;
                if (!handler.onRecord(at, position, scanner.buffer(), scanner.offset(), scanner.length())) {
                    break;
                }
            }
        } catch (final InternalError error) {
            throw file.fault(error);
        }
        return count;
    }

    private void nextRun() {
        run++;
        position = run < runs.count() ? runs.start(run) : file.size();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public String describe(final long at) {
        return file.describe(at);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
