package io.weir.engine.cli.data;

import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A log whose records come at a pace, and whose end comes not before it is released: a job that reads it is at work for as long
 * as a test wants, on a machine of any speed. Released, it is as fast as the log below.
 */
public final class PacedLog implements ReplayableLog {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ReplayableLog log;
    private final long recordsPerSecond;
    private final Path release;

    /**
     * A log over another.
     *
     * @param log that has the records.
     * @param recordsPerSecond of each partition, counted from when a reader was opened.
     * @param release file that releases the log once it exists.
     */
    public PacedLog(final ReplayableLog log, final long recordsPerSecond, final Path release) {
        this.log = log;
        this.recordsPerSecond = recordsPerSecond;
        this.release = release;
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

    private final class Reader implements LogReader {
        private final LogReader reader;
        private final long openedNs = System.nanoTime();
        private long lookedNs = openedNs - LOOK_NS;
        private long handedOver;
        private boolean isReleased;

        Reader(final LogReader reader) {
            this.reader = reader;
        }

        @Override
        public int poll(final LogHandler handler, final int limit) {
            final long nowNs = System.nanoTime();
            if (isReleased(nowNs)) {
                return reader.poll(handler, limit);
            }
            final long due = (nowNs - openedNs) * recordsPerSecond / TimeUnit.SECONDS.toNanos(1) - handedOver;
            if (due <= 0) {
                return 0;
            }
            final int count = reader.poll(handler, (int) Math.min(limit, due));
            if (count == END_OF_LOG) {
                return 0;
            }
            handedOver += count;
            return count;
        }

        @Override
        public long position() {
            return reader.position();
        }

        @Override
        public String describe(final long position) {
            return reader.describe(position);
        }

        @Override
        public void close() {
            reader.close();
        }

        private boolean isReleased(final long nowNs) {
            if (!isReleased && nowNs - lookedNs >= LOOK_NS) {
                lookedNs = nowNs;
                isReleased = Files.exists(release);
            }
            return isReleased;
        }
    }
}
