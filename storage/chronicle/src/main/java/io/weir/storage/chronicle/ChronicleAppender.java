package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends records to a queue that no job writes, such as a feed; each is visible to readers at once. One thread; nothing is
 * allocated per record.
 */
public final class ChronicleAppender implements AutoCloseable {
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);

    private ChronicleAppender(final SingleChronicleQueue queue, final ExcerptAppender appender) {
        this.queue = queue;
        this.appender = appender;
    }

    /**
     * Opens a queue, creating it if need be. May block.
     *
     * @param path of its folder.
     * @return the appender.
     * @throws LogException if it can't be opened.
     */
    public static ChronicleAppender open(final Path path) {
        final CycleClock clock = new CycleClock(QueueOptions.DEFAULTS.clockMs());
        final SingleChronicleQueue queue = QueueOptions.build(path, QueueOptions.DEFAULTS, clock);
        try {
            return new ChronicleAppender(queue, queue.createAppender());
        } catch (final Exception ex) {
            queue.close();
            throw new LogException(path + " can't be written: " + ex, ex);
        }
    }

    /**
     * Appends a record.
     *
     * @param record buffer that holds it.
     * @param offset of the record.
     * @param length of the record in bytes, at least 1.
     * @throws LogException if it can't be taken.
     */
    public void append(final DirectBuffer record, final int offset, final int length) {
        if (length < 1) {
            throw new LogException(queue.fileAbsolutePath() + ": a record of length=" + length + " must have a byte");
        }
        try (DocumentContext document = appender.writingDocument()) {
            final Bytes<?> bytes = document.wire().bytes();
            final long position = bytes.writePosition();
            bytes.ensureCapacity(position + length);
            bytes.writePosition(position + length);
            target.wrap(bytes.addressForWrite(position), length);
            target.putBytes(0, record, offset, length);
        } catch (final IllegalStateException ex) {
            throw new LogException(queue.fileAbsolutePath() + " can't take a record: " + ex, ex);
        }
    }

    /** Frees the queue. Idempotent. */
    @Override
    public void close() {
        CloseHelper.closeAll(appender, queue);
    }
}
