package io.weir.engine.harness;

import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.util.Collections;
import java.util.List;

/** A log without records, with so many partitions, for tests that only plan. */
public record EmptyLog(String name, int partitionCount) implements ReplayableLog {
    @Override
    public List<String> partitions() {
        return Collections.nCopies(partitionCount, "empty");
    }

    @Override
    public LogReader open(final int partition, final long position) {
        return new LogReader() {
            @Override
            public int poll(final LogHandler handler, final int limit) {
                return END_OF_LOG;
            }

            @Override
            public long position() {
                return START;
            }

            @Override
            public String describe(final long at) {
                return name + " at " + at;
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
