package io.weir.benchmarks.engine;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/** A log that makes its records up, as many as were released: {@code [key:long | value:long | timestampNs:long | zeros]}. */
final class GeneratedLog implements ReplayableLog {
    /** The shortest record. */
    static final int RECORD_LENGTH = 3 * Long.BYTES;

    private final AtomicLong released = new AtomicLong();
    private final int keys;
    private final int recordLength;

    GeneratedLog(final int keys) {
        this(keys, RECORD_LENGTH);
    }

    GeneratedLog(final int keys, final int recordLength) {
        this.recordLength = recordLength;
        this.keys = keys;
    }

    /** Lets readers go on. */
    void release(final long records) {
        released.addAndGet(records);
    }

    @Override
    public String name() {
        return "generated";
    }

    @Override
    public List<String> partitions() {
        return List.of("0");
    }

    @Override
    public LogReader open(final int partition, final long position) {
        return new Reader(position);
    }

    private final class Reader implements LogReader {
        private final UnsafeBuffer record = new UnsafeBuffer(new byte[recordLength]);
        private long position;

        Reader(final long position) {
            this.position = position;
        }

        @Override
        public int poll(final LogHandler handler, final int limit) {
            final long end = Math.min(released.getAcquire(), position + limit);
            int count = 0;
            for (boolean more = true; more && position < end; count++) {
                record.putLong(0, position % keys, LITTLE_ENDIAN);
                record.putLong(Long.BYTES, position, LITTLE_ENDIAN);
                record.putLong(2 * Long.BYTES, position, LITTLE_ENDIAN);
                more = handler.onRecord(position, ++position, record, 0, recordLength);
            }
            return count;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public String describe(final long at) {
            return "generated record " + at;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
