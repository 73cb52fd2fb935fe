package io.weir.benchmarks.commit;

import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;

/**
 * Reads the output as anybody could, and checks each row against what plain counting gives: ids without a gap or a repeat, and of each
 * key one more every time. One thread.
 */
final class OutputTail implements AutoCloseable {
    private static final int LIMIT = 4_096;

    private final Path output;
    private final Visitor visitor;
    private final Row row = new Row();
    private LogReader reader;
    private long next;

    /** Told of each row when it was seen to be visible. */
    @FunctionalInterface
    interface Visitor {
        void visible(long id, long dueNs, long nowNs);
    }

    OutputTail(final Path output, final Visitor visitor) {
        this.output = output;
        this.visitor = visitor;
    }

    /** Reads what is there; gives the number of rows. */
    int poll() {
        if (reader == null) {
            if (!Files.exists(output.resolve("metadata.cq4t"))) {
                return 0;
            }
            reader = ChronicleQueueLog.at(output).open(0, ReplayableLog.START);
        }
        return reader.poll(this::onRow, LIMIT);
    }

    /** Rows seen so far. */
    long rows() {
        return next;
    }

    private boolean onRow(
            final long position,
            final long nextPosition,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final long nowNs = System.nanoTime();
        row.wrap(buffer, offset, length);
        if (row.id() != next || row.count() != next / Row.KEYS + 1) {
            throw new IllegalStateException("the output is wrong: record " + row.id() + ", number " + row.count()
                    + " of its key, came where record " + next + ", number " + (next / Row.KEYS + 1)
                    + ", was expected");
        }
        next++;
        visitor.visible(row.id(), row.dueNs(), nowNs);
        return true;
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
    }
}
