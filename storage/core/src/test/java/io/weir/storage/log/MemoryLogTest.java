package io.weir.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryLogTest {
    @Nested
    final class Replayable extends ReplayableLogContract {
        @Override
        protected ReplayableLog bounded(final List<byte[]> records) {
            final MemoryLog log = MemoryLog.bounded(1);
            records.forEach(record -> log.add(0, record));
            return log;
        }
    }

    @Nested
    final class Transactional extends TransactionalLogContract {
        private final MemoryLog log = MemoryLog.bounded(1);

        @Override
        protected TransactionalLog log() {
            return log;
        }

        @Override
        protected List<byte[]> visible() {
            return log.records(0);
        }

        @Override
        protected void failNextCommitOnce() {
            log.failCommitAfter(0);
        }

        @Override
        protected int pending() {
            return log.pendingTransactions();
        }
    }

    @Test
    void shouldWaitForMoreWhenUnbounded() {
        final MemoryLog log = MemoryLog.unbounded(2);
        try (LogReader reader = log.open(1, ReplayableLog.START)) {
            assertEquals(0, reader.poll(new LogRecords(), 1));
            log.add(1, new byte[] {7});
            assertEquals(1, reader.poll(new LogRecords(), 1));
        }
    }

    @Test
    void shouldFailAppendsOnDemand() {
        final MemoryLog log = MemoryLog.bounded(1);
        log.failAppendAfter(1);
        try (TransactionalWriter writer = log.open("w", 1)) {
            TransactionalLogContract.append(writer, "fits");
            assertThrows(LogException.class, () -> TransactionalLogContract.append(writer, "does not"));
        }
    }
}
