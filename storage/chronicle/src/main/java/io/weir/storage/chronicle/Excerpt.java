package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;

/** The bytes of a document of a queue. */
final class Excerpt {
    private Excerpt() {}

    /**
     * Wraps a record where Chronicle has mapped it. A damaged length would lead out of the mapping, where no exception could
     * stop the process from dying.
     */
    static void wrap(final DocumentContext document, final SingleChronicleQueue queue, final UnsafeBuffer record) {
        final Bytes<?> bytes = document.wire().bytes();
        final long length = bytes.readRemaining();
        if (length > queue.overlapSize()) {
            throw new LogException(queue.fileAbsolutePath() + " index " + QueueCommitter.hex(document.index())
                    + ": a record of " + length + " bytes is damaged, or longer than " + queue.overlapSize()
                    + ", the most that blockLength lets through");
        }
        record.wrap(bytes.addressForRead(bytes.readPosition()), (int) length);
    }
}
