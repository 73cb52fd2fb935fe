package io.weir.storage.chronicle;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.LogRecords;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.ReplayableLogContract;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalLogContract;
import io.weir.storage.log.TransactionalWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class ChronicleQueueLogTest {
    private static final int BLOCK_LENGTH = 8 << 20;

    /** What any Chronicle tailer would see, through the log's own reader. */
    static List<byte[]> visible(final Path folder) {
        if (!Files.exists(folder.resolve("metadata.cq4t"))) {
            return List.of();
        }
        try (LogReader reader =
                ChronicleQueueLog.at(folder).bounded().blockLength(BLOCK_LENGTH).open(0, ReplayableLog.START)) {
            return LogRecords.readAll(reader).records();
        }
    }

    @Nested
    final class Replayable extends ReplayableLogContract {
        @TempDir
        private Path folder;

        @Override
        protected ReplayableLog bounded(final List<byte[]> records) {
            final ChronicleQueueLog log =
                    ChronicleQueueLog.at(folder.resolve("queue")).blockLength(BLOCK_LENGTH);
            try (TransactionalWriter writer = log.open("w", 1)) {
                writer.recover(List.of());
                for (final byte[] record : records) {
                    writer.append(new UnsafeBuffer(record), 0, record.length);
                }
                final byte[] handle = writer.prepare(1);
                if (handle != null) {
                    writer.commit(handle);
                }
            }
            return log.bounded();
        }
    }

    @Nested
    final class Transactional extends TransactionalLogContract {
        @TempDir
        private Path folder;

        private ChronicleQueueLog log;
        private boolean isFailing;

        @Override
        protected TransactionalLog log() {
            if (log == null) {
                log = ChronicleQueueLog.at(folder.resolve("queue"))
                        .blockLength(BLOCK_LENGTH)
                        .observedBy(System::currentTimeMillis, this::onStep);
            }
            return log;
        }

        private void onStep(final CommitProbe.Step step) {
            if (isFailing && step == CommitProbe.Step.RECORD_WRITTEN) {
                isFailing = false;
                throw new IllegalStateException("asked to fail");
            }
        }

        @Override
        protected List<byte[]> visible() {
            if (Files.exists(folder.resolve("queue/weir/commits"))) {
                log.requireCommitted();
            }
            return ChronicleQueueLogTest.visible(folder.resolve("queue"));
        }

        @Override
        protected void failNextCommitOnce() {
            isFailing = true;
        }

        @Override
        protected int pending() {
            return new QueueFolder(new DiskFileStore(), folder.resolve("queue"))
                    .allStaged()
                    .size();
        }

        @Override
        protected int minRecordLength() {
            return 1;
        }
    }
}
