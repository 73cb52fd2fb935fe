package io.weir.engine.cli.demo;

import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A log that grows and then ends: a record of one byte is its end. */
public final class FeedLog implements ReplayableLog {
    private static final int END_LENGTH = 1;

    private final ReplayableLog log;

    /**
     * A feed over a log.
     *
     * @param log that holds its records and its end.
     */
    public FeedLog(final ReplayableLog log) {
        this.log = log;
    }

    /** The record that ends a feed. */
    static DirectBuffer end() {
        return new UnsafeBuffer(new byte[END_LENGTH]);
    }

    @Override
    public String name() {
        return log.name();
    }

    @Override
    public List<String> partitions() {
        return log.partitions();
    }

    @Override
    public LogReader open(final int partition, final long position) {
        return new Reader(log.open(partition, position));
    }

    private static final class Reader implements LogReader, LogHandler {
        private final LogReader reader;
        private LogHandler handler;
        private long endPosition;
        private boolean hasEnded;
        private int handedOver;

        Reader(final LogReader reader) {
            this.reader = reader;
        }

        @Override
        public int poll(final LogHandler newHandler, final int limit) {
            if (hasEnded) {
                return END_OF_LOG;
            }
            handler = newHandler;
            handedOver = 0;
            reader.poll(this, limit);
            return hasEnded && handedOver == 0 ? END_OF_LOG : handedOver;
        }

        @Override
        public boolean onRecord(
                final long position,
                final long nextPosition,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            if (length == END_LENGTH) {
                hasEnded = true;
                endPosition = position;
                return false;
            }
            handedOver++;
            return handler.onRecord(position, nextPosition, buffer, offset, length);
        }

        @Override
        public long position() {
            return hasEnded ? endPosition : reader.position();
        }

        @Override
        public String describe(final long position) {
            return reader.describe(position);
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
