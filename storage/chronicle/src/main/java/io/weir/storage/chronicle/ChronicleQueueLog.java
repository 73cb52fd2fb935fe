package io.weir.storage.chronicle;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * A Chronicle queue as replayable and transactional log. A record is one excerpt that holds the record's bytes and nothing
 * else, so that any Chronicle tailer can read what a job wrote, and a job what any Chronicle appender wrote.
 *
 * <p>Reading: one partition; a position is a Chronicle index. By default the reader waits for more for ever; {@link
 * #bounded} ends at what the queue holds when it is opened.
 *
 * <p>Writing: transactions are staged in files under {@code QUEUE/weir} and copied to the queue when they are committed. A
 * record has 1 byte to a quarter of {@link #blockLength} (Chronicle can't hold an empty one). One process may write, and one
 * object of this class in it; nobody else may append to the queue meanwhile. Any number of processes may read.
 *
 * <p>The options give a new object each; they must be set before a writer is opened. Safe for several threads.
 */
public final class ChronicleQueueLog implements ReplayableLog, TransactionalLog {
    private static final String PARTITION = "queue";

    private final QueueFolder folder;
    private final QueueOptions options;
    private final boolean isBounded;
    private final Map<String, ChronicleWriter> writers = new HashMap<>();
    private final List<ChronicleWriter> unclosed = new ArrayList<>();
    /** The last attempt of each writer, open or not. */
    private final Map<String, Long> attempts = new HashMap<>();

    private final Map<String, FreshLineage> lineages = new HashMap<>();
    private QueueCommitter committer;

    private ChronicleQueueLog(final QueueFolder folder, final QueueOptions options, final boolean isBounded) {
        this.folder = folder;
        this.options = options;
        this.isBounded = isBounded;
    }

    /**
     * Loads what Chronicle Queue registers with the end of the JVM, which it refuses once that has begun. A program that still
     * opens queues after a signal, to end its work in order, calls this before it listens to signals. Any thread.
     */
    public static void registerShutdown() {
        BackgroundResourceReleaser.releasePendingResources();
    }

    /**
     * The queue in a folder. Nothing is opened or created yet.
     *
     * @param path of the folder.
     * @return the log.
     */
    public static ChronicleQueueLog at(final Path path) {
        return new ChronicleQueueLog(
                new QueueFolder(new DiskFileStore(), Objects.requireNonNull(path, "path")),
                QueueOptions.DEFAULTS,
                false);
    }

    /**
     * Readers end at the last record that is there when they are opened. A job that has read to this end is done for good: from
     * its last checkpoint on there is nothing left to read, also if more has been appended.
     *
     * @return a log with this choice.
     */
    public ChronicleQueueLog bounded() {
        return new ChronicleQueueLog(folder, options, true);
    }

    /**
     * Readers wait for more for ever: the default.
     *
     * @return a log with this choice.
     */
    public ChronicleQueueLog unbounded() {
        return new ChronicleQueueLog(folder, options, false);
    }

    /**
     * How often a new file is begun. A queue that exists keeps its own roll cycle.
     *
     * @param name of one of Chronicle's roll cycles, by default {@code FAST_DAILY}.
     * @return a log with this choice.
     * @throws LogException if Chronicle has no such cycle.
     */
    public ChronicleQueueLog rollCycle(final String name) {
        return with(new QueueOptions(
                QueueOptions.rollCycleNamed(name),
                options.blockLength(),
                options.maxTransactionLength(),
                options.minFreeLength(),
                options.clockMs(),
                options.probe()));
    }

    /**
     * How much of a file is mapped at a time; four times the largest record.
     *
     * @param bytes at least 1 MiB, by default 64 MiB.
     * @return a log with this choice.
     */
    public ChronicleQueueLog blockLength(final int bytes) {
        require("blockLength", bytes, 1 << 20);
        return with(new QueueOptions(
                options.rollCycle(),
                bytes,
                options.maxTransactionLength(),
                options.minFreeLength(),
                options.clockMs(),
                options.probe()));
    }

    /**
     * The most bytes that one transaction may stage: a job whose checkpoints fail must not fill the disk.
     *
     * @param bytes positive, by default 1 GiB.
     * @return a log with this choice.
     */
    public ChronicleQueueLog maxTransactionLength(final long bytes) {
        require("maxTransactionLength", bytes, 1);
        return with(new QueueOptions(
                options.rollCycle(),
                options.blockLength(),
                bytes,
                options.minFreeLength(),
                options.clockMs(),
                options.probe()));
    }

    /**
     * The bytes that must stay free on the disk: a commit that would leave less is refused, and can be tried again.
     *
     * @param bytes not negative, by default 128 MiB.
     * @return a log with this choice.
     */
    public ChronicleQueueLog minFreeLength(final long bytes) {
        require("minFreeLength", bytes, 0);
        return with(new QueueOptions(
                options.rollCycle(),
                options.blockLength(),
                options.maxTransactionLength(),
                bytes,
                options.clockMs(),
                options.probe()));
    }

    /** For tests: another clock and a probe. */
    ChronicleQueueLog observedBy(final LongSupplier clockMs, final CommitProbe probe) {
        return with(new QueueOptions(
                options.rollCycle(),
                options.blockLength(),
                options.maxTransactionLength(),
                options.minFreeLength(),
                clockMs,
                probe));
    }

    @Override
    public String name() {
        return folder.path().toString();
    }

    @Override
    public List<String> partitions() {
        requireQueue();
        return List.of(PARTITION);
    }

    @Override
    public LogReader open(final int partition, final long position) {
        if (partition != 0) {
            throw new LogException(folder.path() + " has no partition " + partition + ", only 1");
        }
        if (position < 0) {
            throw new LogException(folder.path() + ": position " + position + " must be >= 0");
        }
        requireQueue();
        final SingleChronicleQueue queue =
                QueueOptions.build(folder.path(), options, new CycleClock(options.clockMs()));
        try {
            return new ChronicleReader(queue, position, isBounded ? queue.lastIndex() : Long.MAX_VALUE);
        } catch (final LogException ex) {
            queue.close();
            throw ex;
        } catch (final Exception ex) {
            queue.close();
            throw new LogException(folder.path() + " can't be read: " + ex, ex);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>A writer of the same id and an earlier attempt that is still open is fenced. A commit that an earlier process left
     * half done is ended first.
     */
    @Override
    public synchronized TransactionalWriter open(final String writerId, final long attempt) {
        final ChronicleWriter former = writers.get(Objects.requireNonNull(writerId, "writerId"));
        if (former != null && former.attempt() >= attempt) {
            throw new LogException(folder.path() + ": writer " + writerId + " is open with attempt " + former.attempt()
                    + ", so attempt " + attempt + " is late");
        }
        if (committer == null) {
            committer = folder.guarded(() -> new QueueCommitter(folder, options));
        }
        if (former != null) {
            former.fence();
        }
        final ChronicleWriter writer = new ChronicleWriter(
                this, folder, options, committer, writerId, attempt, freshLineage(writerId, attempt));
        writers.put(writerId, writer);
        attempts.put(writerId, attempt);
        unclosed.add(writer);
        return writer;
    }

    /**
     * Checks that the queue still holds what was committed to it: reads every record and compares the checksums of the commit
     * journal, which opening a writer does not. Files that were deleted from the front, to make room, are not missed; records
     * behind the last commit are refused. To be asked about a queue that a writer was open on, whether one is now or not. May
     * block; changes nothing.
     *
     * @throws LogException if files of the queue or its commit journal are gone or damaged; the message names them.
     */
    public void requireCommitted() {
        folder.guard(() -> {
            if (!folder.exists(folder.journal())) {
                throw new LogException(
                        folder.journal() + " is missing: what was committed to the queue is unknown; put it back");
            }
            final CommittedRecords committed = CommitJournal.committedIn(folder);
            committed.requireMetadata();
            final boolean isReadable = !folder.cycles().isEmpty() && !HalfMadeQueue.hasBegunFile(folder);
            if (committed.requiredIndex() >= 0 || isReadable) {
                try (SingleChronicleQueue queue =
                        QueueOptions.build(folder.path(), options, new CycleClock(options.clockMs()))) {
                    committed.requireAll(queue);
                }
            }
        });
    }

    /**
     * The writers that left transactions behind and are not open in this object: after a sink got another uid, for example; those of
     * a sink with another parallelism are dropped by themselves. Their files stay until {@link #dropAbandoned}. Ask after every
     * writer was opened and recovered.
     *
     * @return their ids, sorted.
     */
    public synchronized Set<String> abandoned() {
        return folder.guarded(() -> {
            final Set<String> ids = new TreeSet<>();
            for (final Path staged : folder.allStaged()) {
                final String writerId = StagedRecords.writerOf(folder.files(), staged);
                if (writerId != null && !writers.containsKey(writerId)) {
                    ids.add(writerId);
                }
            }
            return ids;
        });
    }

    /**
     * Drops what an abandoned writer left. I/O thread, while some writer is open.
     *
     * @param writerId from {@link #abandoned}.
     * @throws LogException if the writer is open, or none is.
     */
    public synchronized void dropAbandoned(final String writerId) {
        if (committer == null || writers.containsKey(writerId)) {
            throw new LogException(folder.path() + ": leftovers of writer " + writerId
                    + " can't be dropped: this object has no writer open, or just that one");
        }
        folder.guard(() -> {
            for (final Path staged : folder.allStaged()) {
                if (writerId.equals(StagedRecords.writerOf(folder.files(), staged))) {
                    folder.files().delete(staged);
                }
            }
        });
    }

    /** Drops what writers of a family left that were not opened in this attempt, or a later one. */
    synchronized void dropAbandonedOf(final String family, final long attempt) {
        folder.guard(() -> {
            final Set<String> present = new HashSet<>();
            attempts.forEach((writerId, of) -> {
                if (of >= attempt || writers.containsKey(writerId)) {
                    present.add(TransactionHandle.namePrefix(writerId));
                }
            });
            for (final Path staged : folder.allStaged()) {
                final String name = staged.getFileName().toString();
                if (!present.contains(name.substring(0, name.indexOf('-') + 1)) && isOf(family, staged)) {
                    folder.files().delete(staged);
                }
            }
        });
    }

    /** A file whose head never reached the disk is of no use to any writer. */
    private boolean isOf(final String family, final Path staged) {
        final String writerId = StagedRecords.writerOf(folder.files(), staged);
        return writerId == null || family.equals(WriterFamily.of(writerId));
    }

    /** All writers of a family that are opened in one attempt get the same; one that is opened once more is of another run. */
    private long freshLineage(final String writerId, final long attempt) {
        final String family = WriterFamily.of(writerId);
        if (family == null) {
            return TransactionHandle.NO_LINEAGE;
        }
        final FreshLineage known = lineages.get(family);
        if (known != null && known.attempt == attempt && known.writers.add(writerId)) {
            return known.id;
        }
        final FreshLineage fresh =
                new FreshLineage(attempt, new SecureRandom().nextLong(), new HashSet<>(Set.of(writerId)));
        lineages.put(family, fresh);
        return fresh.id;
    }

    private record FreshLineage(long attempt, long id, Set<String> writers) {}

    synchronized void onClosed(final ChronicleWriter writer) {
        writers.remove(writer.writerId(), writer);
        unclosed.remove(writer);
        if (unclosed.isEmpty() && committer != null) {
            final QueueCommitter last = committer;
            committer = null;
            last.close();
        }
    }

    private ChronicleQueueLog with(final QueueOptions changed) {
        return new ChronicleQueueLog(folder, changed, isBounded);
    }

    private void requireQueue() {
        if (!folder.guarded(folder::holdsQueue)) {
            throw new LogException(folder.path() + " holds no Chronicle queue");
        }
        folder.guard(() -> HalfMadeQueue.refuseLostHeader(folder));
    }

    private static void require(final String option, final long value, final long least) {
        if (value < least) {
            throw new LogException(option + "=" + value + " must be >= " + least);
        }
    }
}
