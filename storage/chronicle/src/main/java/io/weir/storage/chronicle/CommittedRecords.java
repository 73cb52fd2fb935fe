package io.weir.storage.chronicle;

import static io.weir.storage.chronicle.QueueCommitter.hex;

import io.weir.storage.log.LogException;
import java.io.File;
import java.util.List;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the commit journal says that the queue must hold.
 *
 * @param folder of the queue.
 * @param requiredIndex of the last record, negative if none was ever committed.
 * @param isCommitting whether records behind that one may be there, of a commit that has begun.
 * @param spans of all committed records in order; those that an early version committed are not among them.
 */
record CommittedRecords(QueueFolder folder, long requiredIndex, boolean isCommitting, List<CommittedSpan> spans) {
    private static final long NONE = -1;

    /** Looks before the queue is opened, which would make the metadata anew. */
    void requireMetadata() {
        if (requiredIndex >= 0 && !folder.holdsQueue()) {
            throw lost(folder.metadata() + " is missing", null);
        }
        HalfMadeQueue.refuseLostHeader(folder);
    }

    /**
     * Looks for the last record, which stands for all at little cost: files are deleted from the front to make room, and by
     * accident all at once.
     */
    void requireLast(final SingleChronicleQueue queue) {
        if (requiredIndex < 0) {
            return;
        }
        final boolean isThere;
        try (ExcerptTailer tailer = queue.createTailer()) {
            isThere = tailer.moveToIndex(requiredIndex);
        } catch (final Exception ex) {
            throw lost("they can't be looked for: " + ex, ex);
        }
        if (!isThere) {
            throw lost("the queue has no such index", null);
        }
    }

    /**
     * Reads all records of the files that are there, compares their checksums, and refuses records behind the last one. From
     * the start: Chronicle believes its own tables, which may be damaged too.
     */
    void requireAll(final SingleChronicleQueue queue) {
        try (ExcerptTailer tailer = queue.createTailer()) {
            final int firstCycle = queue.firstCycle();
            final SpanReader reader = new SpanReader(queue, tailer);
            for (final CommittedSpan span : spans) {
                if (queue.rollCycle().toCycle(span.firstIndex()) >= firstCycle) {
                    reader.require(span);
                }
            }
            reader.requireEnd();
        } catch (final LogException ex) {
            throw ex;
        } catch (final Exception ex) {
            throw new LogException(
                    folder.path() + " is damaged: what stands before the records in one of its files can't be read; put"
                            + " the files back",
                    ex);
        }
    }

    /** Asks the journal again: the writer may have committed meanwhile, and has told it before the queue. */
    private boolean mayHold(final long index) {
        final CommittedRecords now = CommitJournal.committedIn(folder);
        return index <= now.requiredIndex || now.isCommitting;
    }

    private LogException lost(final String what, final Exception cause) {
        return new LogException(
                folder.path() + " has lost records: " + folder.journal() + " says that they were committed up to index "
                        + hex(requiredIndex) + ", but " + what + "; put the files back",
                cause);
    }

    /** Reads the queue from its start, span by span. */
    private final class SpanReader {
        private final SingleChronicleQueue queue;
        private final ExcerptTailer tailer;
        private final RecordChecksum sum = new RecordChecksum();
        private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
        private long last = NONE;

        SpanReader(final SingleChronicleQueue queue, final ExcerptTailer tailer) {
            this.queue = queue;
            this.tailer = tailer;
        }

        void require(final CommittedSpan span) {
            int checksum = RecordChecksum.NO_RECORDS;
            for (long next = span.firstIndex(); next <= span.lastIndex(); ) {
                final long index = read();
                if (index == NONE) {
                    throw damaged(next, "is missing, the records end before it", null);
                }
                if (index == next) {
                    checksum = sum.with(checksum, record);
                    next++;
                } else if (index > next) {
                    throw damaged(next, "is missing, " + hex(index) + " comes next", null);
                }
            }
            if (checksum != span.checksum()) {
                throw damaged(
                        span.firstIndex(),
                        "to " + hex(span.lastIndex()) + " holds other bytes than were committed: checksum "
                                + Integer.toHexString(checksum) + ", " + folder.journal() + " has "
                                + Integer.toHexString(span.checksum()),
                        null);
            }
        }

        void requireEnd() {
            while (last < requiredIndex) {
                if (read() == NONE) {
                    throw lost("the records end before that", null);
                }
            }
            // A process that dies while it begins a file leaves one that can't be read; the next writer clears it away.
            final long behind = HalfMadeQueue.hasBegunFile(folder) ? NONE : read();
            if (behind != NONE && !mayHold(behind)) {
                if (requiredIndex < 0) {
                    throw new LogException(folder.journal() + " is damaged: it has no commit, but " + folder.path()
                            + " has records from index " + hex(behind) + " on; put it back");
                }
                throw damaged(
                        behind,
                        "holds a record that was never committed, " + folder.journal() + " does not have it",
                        null);
            }
        }

        /** Moves to the next record, committed or not; gives its index. */
        private long read() {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    return NONE;
                }
                Excerpt.wrap(document, queue, record);
                last = document.index();
                return last;
            } catch (final LogException ex) {
                throw ex;
            } catch (final Exception ex) {
                throw damaged(tailer.index(), "can't be read", ex);
            }
        }

        private LogException damaged(final long index, final String what, final Exception cause) {
            final File file = tailer.currentFile();
            return new LogException(
                    (file == null ? folder.path() : file) + " is damaged: index " + hex(index) + ' ' + what
                            + "; put the file back",
                    cause);
        }
    }
}
