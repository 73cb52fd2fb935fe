package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * What the commit journal says that the queue must hold. The last record stands for all: files are deleted from the front to
 * make room, and by accident all at once.
 *
 * @param folder of the queue.
 * @param requiredIndex of the last record, negative if none was ever committed.
 */
record CommittedRecords(QueueFolder folder, long requiredIndex) {
    /** Looks before the queue is opened, which would make the metadata anew. */
    void requireMetadata() {
        if (requiredIndex >= 0 && !folder.holdsQueue()) {
            throw lost(folder.metadata() + " is missing", null);
        }
    }

    /** Looks for the last record. */
    void requireLast(final SingleChronicleQueue queue) {
        if (requiredIndex < 0) {
            return;
        }
        final boolean isThere;
        try (ExcerptTailer tailer = queue.createTailer()) {
            isThere = tailer.moveToIndex(requiredIndex);
        } catch (final RuntimeException ex) {
            throw lost("they can't be looked for: " + ex, ex);
        }
        if (!isThere) {
            throw lost("the queue has no such index", null);
        }
    }

    private LogException lost(final String what, final RuntimeException cause) {
        return new LogException(
                folder.path() + " has lost records: " + folder.journal() + " says that they were committed up to index "
                        + QueueCommitter.hex(requiredIndex) + ", but " + what + "; put the files back",
                cause);
    }
}
