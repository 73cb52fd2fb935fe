package io.weir.storage.chronicle;

import io.weir.storage.chronicle.CommitProbe.Step;
import io.weir.storage.file.FileClaim;
import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerState;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies prepared transactions to the queue, one at a time: the only appender of the queue. Shared by all writers of a
 * process, guarded by its own monitor; I/O threads only.
 *
 * <p>A commit writes and forces its intent (the queue's last index and the handle), appends the records, forces the queue,
 * writes that it is committed, deletes the staging file. After a crash anywhere in between, what lies behind the intent's last
 * index is the first part of that transaction, and the commit goes on behind it. A begun commit is always ended before
 * another one begins.
 */
final class QueueCommitter implements AutoCloseable {
    private final QueueFolder folder;
    private final QueueOptions options;
    private final FileClaim claim;
    private final Set<File> knownFiles = new HashSet<>();
    private final Set<File> unforced = new HashSet<>();
    private CommitJournal journal;
    private SingleChronicleQueue queue;
    private ExcerptAppender appender;
    private final CommittedSpans spans = new CommittedSpans();
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
    private final ByteBuffer memory = StagedRecords.newMemory();
    private long lastIndex;
    private boolean isUnknown;
    private boolean isClosed;

    QueueCommitter(final QueueFolder folder, final QueueOptions options) {
        this.folder = folder;
        this.options = options;
        folder.create();
        claim = folder.claim();
        try {
            folder.requireJournal();
            HalfMadeQueue.clear(folder);
            journal = CommitJournal.open(folder.files(), folder.journal());
            folder.createStaged();
            final CommittedRecords committed = journal.committedRecords(folder);
            committed.requireMetadata();
            StaleQueueLock.release(folder);
            final CycleClock clock = new CycleClock(options.clockMs());
            queue = QueueOptions.build(folder.path(), options, clock);
            committed.requireLast(queue);
            clock.atLeast(openCycleMs(queue));
            appender = queue.createAppender();
            appender.singleThreadedCheckDisabled(true);
            endBegun();
        } catch (final Exception ex) {
            CloseHelper.closeAll(ex::addSuppressed, appender, queue, journal, claim);
            throw ex instanceof RuntimeException declared
                    ? declared
                    : new LogException(folder.path() + " can't be opened: " + ex.getMessage(), ex);
        }
    }

    /** When the first cycle begins that records may be appended to. A process may die between a file's end and the next file. */
    private static long openCycleMs(final SingleChronicleQueue queue) {
        final int lastCycle = queue.lastCycle();
        if (lastCycle == Integer.MIN_VALUE) {
            return Long.MIN_VALUE;
        }
        try (ExcerptTailer tailer = queue.createTailer().toEnd()) {
            final long openCycle = tailer.state() == TailerState.END_OF_CYCLE ? lastCycle + 1L : lastCycle;
            return openCycle * queue.rollCycle().lengthInMillis() + queue.epoch();
        }
    }

    /**
     * Refuses a transaction that is not the newest of its writer.
     *
     * @param writerId that asks.
     * @param handle of the transaction, or null for none: then nothing may have been committed under that id.
     */
    synchronized void requireNewest(final String writerId, final TransactionHandle handle) {
        requireOpen();
        if (handle == null ? journal.newest(writerId) != null : journal.isFollowed(handle)) {
            throw new LogException(folder.path() + " has results of newer checkpoints than the one to go on from, which"
                    + " would write them again: it knows no transaction "
                    + (handle == null ? "of writer " + writerId : "after " + handle.describe())
                    + "; put the newer checkpoints back, or begin anew with another output");
        }
        if (handle != null && journal.isEmpty() && !isStaged(handle) && queue.lastIndex() >= 0) {
            throw new LogException(
                    folder.journal() + " has no commit at all, but the queue has records, and the checkpoint"
                            + " to go on from knows " + handle.describe() + ": it was cut or made anew; put it back");
        }
    }

    /**
     * Refuses a checkpoint after which a family has committed more.
     *
     * @param mark of the family as the checkpoint has it.
     */
    synchronized void requireNewestOfFamily(final TransactionHandle mark) {
        requireOpen();
        if (journal.isFollowed(mark)) {
            final TransactionHandle newest = journal.newest(mark.writerId());
            throw new LogException(
                    folder.path() + " has results of newer checkpoints than checkpoint " + mark.sequence()
                            + ", the one to go on from, which would write them again: the writers " + mark.writerId()
                            + "* have committed "
                            + (newest != null && newest.incarnation() == mark.incarnation()
                                    ? "up to checkpoint " + newest.sequence()
                                    : "for another run of the job since then")
                            + "; put the newer checkpoints back, or begin anew with another output");
        }
    }

    private boolean isStaged(final TransactionHandle handle) {
        return folder.exists(folder.staged(handle.stagingName()));
    }

    /** The newest transaction that is known to be committed under a writer's id, or null. */
    synchronized TransactionHandle newest(final String writerId) {
        requireOpen();
        return journal.newest(writerId);
    }

    /** Makes a transaction visible, unless it is so already. */
    synchronized void commit(final TransactionHandle handle) {
        requireOpen();
        endBegun();
        final Path staged = folder.staged(handle.stagingName());
        if (journal.isCommitted(handle)) {
            folder.files().delete(staged);
            return;
        }
        if (journal.isOvertaken(handle)) {
            throw new LogException(folder.path() + ": " + handle.describe()
                    + " can't be committed: a later one of this writer is committed already");
        }
        try (StagedRecords records = open(staged, handle)) {
            requireSpace(handle);
            lastIndex = queue.lastIndex();
            journal.begin(new CommitJournal.Intent(lastIndex, handle));
            options.probe().reached(Step.INTENT_WRITTEN);
            journal.force();
            options.probe().reached(Step.INTENT_FORCED);
            spans.begin(journal.lastSpan());
            append(records);
        }
        end(staged);
    }

    /** Drops a transaction. */
    synchronized void abort(final TransactionHandle handle) {
        requireOpen();
        endBegun();
        if (journal.isCommitted(handle)) {
            throw new LogException(folder.path() + ": " + handle.describe() + " can't be aborted: it is committed");
        }
        folder.files().delete(folder.staged(handle.stagingName()));
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            CloseHelper.closeAll(appender, queue, journal, claim);
        }
    }

    /** Goes on with a commit that has begun, in this process or an earlier one, and failed before its end. */
    private void endBegun() {
        final CommitJournal.Intent intent = journal.intent();
        if (intent == null) {
            return;
        }
        journal.force();
        final TransactionHandle handle = intent.handle();
        final Path staged = folder.staged(handle.stagingName());
        spans.begin(journal.lastSpan());
        final BegunCommit begun = new BegunCommit(queue, intent, unforced, spans);
        if (!folder.exists(staged)) {
            lastIndex = begun.requireWhole();
        } else {
            try (StagedRecords records = open(staged, handle)) {
                requireSpace(handle);
                // Not the queue's last index: Chronicle finds none while the index of a first record is half made.
                lastIndex = begun.skipPresent(records);
                append(records);
            }
        }
        end(staged);
    }

    private StagedRecords open(final Path staged, final TransactionHandle handle) {
        if (!folder.exists(staged)) {
            throw LogException.permanent(staged + " is missing: " + handle.describe()
                    + " was aborted, its file is lost, or it is of another output");
        }
        return StagedRecords.open(folder.files(), staged, handle, memory);
    }

    private void append(final StagedRecords records) {
        try {
            for (UnsafeBuffer record = records.next(); record != null; record = records.next()) {
                append(record);
            }
        } catch (final LogException ex) {
            throw ex;
        } catch (final Exception ex) {
            throw new LogException(
                    folder.path() + " can't take a record behind index " + hex(lastIndex) + ": " + ex, ex);
        }
    }

    private void append(final UnsafeBuffer record) {
        try (DocumentContext document = appender.writingDocument()) {
            copy(record, document);
        }
        final long index = appender.lastIndexAppended();
        if (index != lastIndex + 1 && queue.rollCycle().toSequenceNumber(index) != 0) {
            throw new LogException(folder.path() + ": someone else appends to this queue: index " + hex(index)
                    + " came behind " + hex(lastIndex));
        }
        if (unforced.isEmpty() || index != lastIndex + 1) {
            unforced.add(appender.currentFile());
        }
        lastIndex = index;
        spans.add(index, record);
        options.probe().reached(Step.RECORD_WRITTEN);
    }

    private void copy(final UnsafeBuffer record, final DocumentContext document) {
        try {
            final int length = record.capacity();
            final Bytes<?> bytes = document.wire().bytes();
            final long position = bytes.writePosition();
            bytes.ensureCapacity(position + length);
            bytes.writePosition(position + length);
            target.wrap(bytes.addressForWrite(position), length);
            target.putBytes(0, record, 0, length);
            options.probe().reached(Step.RECORD_OPEN);
        } catch (final RuntimeException ex) {
            document.rollbackOnClose();
            throw ex;
        }
    }

    private void end(final Path staged) {
        forceQueue();
        options.probe().reached(Step.QUEUE_FORCED);
        journal.end(lastIndex, spans.end());
        options.probe().reached(Step.COMMITTED_WRITTEN);
        folder.files().delete(staged);
        options.probe().reached(Step.STAGED_DELETED);
    }

    private void forceQueue() {
        boolean isNew = false;
        isUnknown = true;
        for (final File file : unforced) {
            force(file.toPath());
            isNew |= knownFiles.add(file);
        }
        unforced.clear();
        if (isNew) {
            force(folder.metadata());
            folder.files().forceDirectory(folder.path());
        }
        isUnknown = false;
    }

    /** The system writes back what any mapping changed, also Chronicle's. */
    private void force(final Path file) {
        try (OpenFile open = folder.files().open(file)) {
            open.force();
        }
    }

    /** A mapped write to a full disk can't fail in an orderly way, so that the space is looked at before. */
    private void requireSpace(final TransactionHandle handle) {
        try {
            final long free = Files.getFileStore(folder.path()).getUsableSpace();
            if (free - handle.length() < options.minFreeLength()) {
                throw new LogException(folder.path() + ": the disk has " + free + " bytes free, too few to commit "
                        + handle.length() + " and keep " + options.minFreeLength());
            }
        } catch (final IOException ex) {
            throw new LogException(folder.path() + ": free space is unknown: " + ex, ex);
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new LogException(folder.path() + " is closed");
        }
        if (isUnknown) {
            throw new LogException(
                    folder.path() + " could not be forced before: what the disk holds is unknown, open the log anew");
        }
    }

    static String hex(final long index) {
        return "0x" + Long.toHexString(index);
    }
}
