package io.weir.benchmarks.commit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A log whose records come due at a fixed rate, whether anybody reads them or not; a position is a record's id. The clock is the
 * machine's monotonic one, so that processes agree on it.
 */
final class PacedLog implements ReplayableLog {
    private final long beginNs;
    private final long perSecond;
    private final long records;

    PacedLog(final long beginNs, final long perSecond, final long records) {
        this.beginNs = beginNs;
        this.perSecond = perSecond;
        this.records = records;
    }

    /** When a record is due. */
    private long dueNs(final long id) {
        return beginNs
                + id / perSecond * TimeUnit.SECONDS.toNanos(1)
                + id % perSecond * TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    @Override
    public String name() {
        return "paced";
    }

    @Override
    public List<String> partitions() {
        return List.of("0");
    }

    @Override
    public LogReader open(final int partition, final long position) {
        return new Reader(Math.max(0, position));
    }

    private final class Reader implements LogReader {
        private final UnsafeBuffer record = new UnsafeBuffer(new byte[Row.LENGTH]);
        private long position;

        Reader(final long position) {
            this.position = position;
        }

        @Override
        public int poll(final LogHandler handler, final int limit) {
            final long nowNs = System.nanoTime();
            int count = 0;
            for (boolean more = true; more && count < limit && position < records; count++) {
                final long dueNs = dueNs(position);
                if (dueNs - nowNs > 0) {
                    break;
                }
                record.putLong(0, position, LITTLE_ENDIAN);
                record.putLong(Long.BYTES, dueNs, LITTLE_ENDIAN);
                more = handler.onRecord(position, ++position, record, 0, Row.LENGTH);
            }
            return count;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public String describe(final long at) {
            return "paced record " + at;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
