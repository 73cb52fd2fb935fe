package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.zip.CRC32C;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;

/** What an interrupted commit left in the queue: the records behind its intent's last index. */
final class BegunCommit {
    private final SingleChronicleQueue queue;
    private final CommitJournal.Intent intent;
    private final Set<File> unforced;
    private final CommittedSpans spans;
    private final UnsafeBuffer present = new UnsafeBuffer(0, 0);

    /** Tells the spans of each record that is present. */
    BegunCommit(
            final SingleChronicleQueue queue,
            final CommitJournal.Intent intent,
            final Set<File> unforced,
            final CommittedSpans spans) {
        this.queue = queue;
        this.intent = intent;
        this.unforced = unforced;
        this.spans = spans;
    }

    /** Moves behind the records that are in the queue already, comparing each byte; gives the index of the last. */
    long skipPresent(final StagedRecords records) {
        return forEachPresent((index, record) -> {
            final UnsafeBuffer expected = records.next();
            if (expected == null || !expected.equals(record)) {
                throw differs(index, "holds another record");
            }
        });
    }

    /** The staging file is gone, which it may be only once the queue holds the whole transaction; gives its last index. */
    long requireWhole() {
        final CRC32C checksum = new CRC32C();
        final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        final long[] count = new long[1];
        final long last = forEachPresent((index, record) -> {
            checksum.update(length.clear().putInt(record.capacity()).flip());
            final byte[] bytes = new byte[record.capacity()];
            record.getBytes(0, bytes);
            checksum.update(bytes);
            count[0]++;
        });
        if (count[0] != intent.handle().count()
                || (int) checksum.getValue() != intent.handle().checksum()) {
            throw differs(
                    intent.lastIndex(),
                    "is followed by " + count[0] + " of " + intent.handle().count()
                            + " records and the staging file is gone");
        }
        return last;
    }

    @FunctionalInterface
    private interface RecordConsumer {
        void accept(long index, UnsafeBuffer record);
    }

    private long forEachPresent(final RecordConsumer consumer) {
        long last = intent.lastIndex();
        try (ExcerptTailer tailer = queue.createTailer()) {
            if (intent.lastIndex() >= 0) {
                if (!tailer.moveToIndex(intent.lastIndex())) {
                    throw differs(intent.lastIndex(), "is missing");
                }
                tailer.readingDocument().close();
            }
            while (true) {
                try (DocumentContext document = tailer.readingDocument()) {
                    if (!document.isPresent()) {
                        return last;
                    }
                    Excerpt.wrap(document, queue, present);
                    last = document.index();
                    consumer.accept(last, present);
                    spans.add(last, present);
                    unforced.add(tailer.currentFile());
                }
            }
        }
    }

    private LogException differs(final long index, final String what) {
        return new LogException(queue.fileAbsolutePath() + ": the half-done commit of "
                + intent.handle().describe() + " can't be ended: index " + QueueCommitter.hex(index) + ' ' + what);
    }
}
