package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a queue: a position is a Chronicle index. Hands on Chronicle's mapped bytes without copying. */
final class ChronicleReader implements LogReader {
    private final SingleChronicleQueue queue;
    private final ExcerptTailer tailer;
    private final long endIndex;
    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private long position;
    private boolean isClosed;

    /**
     * A reader over a queue that it closes.
     *
     * @param endIndex last index to hand over: -1 for nothing, {@link Long#MAX_VALUE} to read for ever.
     */
    ChronicleReader(final SingleChronicleQueue queue, final long position, final long endIndex) {
        this.queue = queue;
        this.endIndex = endIndex;
        tailer = queue.createTailer();
        tailer.singleThreadedCheckDisabled(true);
        this.position = position;
        if (position != ReplayableLog.START) {
            moveTo(position);
        }
    }

    @Override
    public int poll(final LogHandler handler, final int limit) {
        if (isClosed) {
            throw new LogException(queue.fileAbsolutePath() + ": the reader is closed");
        }
        if (position > endIndex || endIndex < 0) {
            return END_OF_LOG;
        }
        int count = 0;
        try {
            boolean isWanted = true;
            while (isWanted && count < limit && position <= endIndex) {
                try (DocumentContext document = readNext()) {
                    if (!document.isPresent()) {
                        break;
                    }
                    final long index = document.index();
                    if (index > endIndex) {
                        position = index;
                        break;
                    }
                    Excerpt.wrap(document, queue, record);
                    position = index + 1;
                    count++;
                    isWanted = handler.onRecord(index, index + 1, record, 0, record.capacity());
                }
            }
        } catch (final IllegalStateException ex) {
            throw new LogException(describe(position) + " can't be read: " + ex.getMessage(), ex);
        }
        return count;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public String describe(final long at) {
        return queue.fileAbsolutePath() + " index " + QueueCommitter.hex(at) + " (record "
                + queue.rollCycle().toSequenceNumber(at) + " of cycle "
                + queue.rollCycle().toCycle(at) + ")";
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            tailer.close();
            queue.close();
        }
    }

    /** Chronicle throws checked exceptions without declaring them, for example at a damaged header of the next file. */
    private DocumentContext readNext() {
        try {
            return tailer.readingDocument();
        } catch (final RuntimeException ex) {
            throw ex;
        } catch (final Exception ex) {
            throw new LogException(describe(position) + " can't be read: " + ex.getMessage(), ex);
        }
    }

    /** The record at the position may not be written yet; then the one before it must be there. */
    private void moveTo(final long index) {
        if (tailer.moveToIndex(index)) {
            return;
        }
        final boolean isBehindRecord = queue.rollCycle().toSequenceNumber(index) > 0 && tailer.moveToIndex(index - 1);
        if (!isBehindRecord) {
            throw new LogException(describe(index) + " is not in the queue: it was cut, or its files were deleted");
        }
        tailer.readingDocument().close();
    }
}
