package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import io.weir.storage.log.TransactionalWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.DirectBuffer;

/** One writer of a {@link ChronicleQueueLog}: stages records in memory, and in files of its own. */
final class ChronicleWriter implements TransactionalWriter {
    /** What Chronicle can take in one piece: a quarter of the block it maps. */
    private static final int BLOCK_SHARE = 4;

    private static final int CHUNK_LENGTH = 1 << 18;
    private static final int CHUNKS = 8;

    /** Bytes of transactions that are not forced yet which a writer keeps in memory, about. */
    static final int STAGED_IN_MEMORY = CHUNKS * CHUNK_LENGTH;

    private final ChronicleQueueLog log;
    private final QueueFolder folder;
    private final QueueCommitter committer;
    private final String writerId;
    private final long attempt;
    private final long incarnation = new SecureRandom().nextLong();
    private final String family;
    private final long freshLineage;
    private final int maxRecordLength;
    private final long maxTransactionLength;
    private final StagingChunks memory = new StagingChunks(CHUNK_LENGTH, CHUNKS);
    /** Sealed and not yet settled: put by the task thread, taken by the I/O thread. */
    private final Map<Long, StagedTransaction> sealed = new ConcurrentHashMap<>();

    private StagedTransaction open;
    private long nextSequence = 1;
    /** That of the restored checkpoint, whose id is the other one; written before the task runs, then by the task thread. */
    private long lineage;

    private long resumedCheckpointId = Long.MIN_VALUE;
    private volatile boolean isFenced;
    private volatile boolean isClosed;

    ChronicleWriter(
            final ChronicleQueueLog log,
            final QueueFolder folder,
            final QueueOptions options,
            final QueueCommitter committer,
            final String writerId,
            final long attempt,
            final long freshLineage) {
        this.log = log;
        this.folder = folder;
        this.committer = committer;
        this.writerId = writerId;
        this.attempt = attempt;
        this.freshLineage = freshLineage;
        lineage = freshLineage;
        family = WriterFamily.of(writerId);
        maxRecordLength = options.blockLength() / BLOCK_SHARE;
        maxTransactionLength = options.maxTransactionLength();
    }

    @Override
    public void requireNewest(final byte[] handle) {
        requireUsable();
        final TransactionHandle decoded = handle == null ? null : TransactionHandle.decode(handle);
        folder.guard(() -> committer.requireNewest(writerId, decoded));
    }

    @Override
    public byte[] newest() {
        requireUsable();
        final TransactionHandle newest = folder.guarded(() -> committer.newest(writerId));
        return newest == null ? null : newest.encode();
    }

    @Override
    public void resumeFamily(final byte[] mark) {
        requireUsable();
        final TransactionHandle decoded = TransactionHandle.decode(mark);
        folder.guard(() -> committer.requireNewestOfFamily(decoded));
        if (family != null) {
            lineage = decoded.incarnation();
            resumedCheckpointId = decoded.sequence();
        }
    }

    @Override
    public byte[] familyMark(final long checkpointId) {
        return family == null
                ? null
                : TransactionHandle.ofFamily(family, lineageOf(checkpointId), checkpointId)
                        .encode();
    }

    /** Where ids begin anew, as in another checkpoint folder, they can't be compared with those before. */
    private long lineageOf(final long checkpointId) {
        if (checkpointId <= resumedCheckpointId) {
            lineage = freshLineage;
            resumedCheckpointId = Long.MIN_VALUE;
        }
        return lineage;
    }

    @Override
    public void dropAbandoned() {
        requireUsable();
        if (family != null) {
            log.dropAbandonedOf(family, attempt);
        }
    }

    @Override
    public void recover(final List<byte[]> prepared) {
        requireUsable();
        final List<TransactionHandle> handles =
                prepared.stream().map(TransactionHandle::decode).toList();
        folder.guard(() -> {
            handles.forEach(committer::commit);
            dropLeftovers();
        });
    }

    private void dropLeftovers() {
        final String prefix = TransactionHandle.namePrefix(writerId);
        for (final Path staged : folder.allStaged()) {
            if (staged.getFileName().toString().startsWith(prefix)) {
                folder.files().delete(staged);
            }
        }
    }

    @Override
    public void append(final DirectBuffer record, final int offset, final int length) {
        if (isFenced || isClosed || length <= 0 || length > maxRecordLength) {
            throw refused(length);
        }
        if (open == null) {
            openNext();
        }
        if (open.length() + length > maxTransactionLength) {
            throw new LogException(folder.path() + ": transaction " + nextSequence + " of writer " + writerId
                    + " would stage more than " + maxTransactionLength + " bytes");
        }
        open.append(record, offset, length);
    }

    @Override
    public byte[] prepare(final long checkpointId) {
        requireUsable();
        final StagedTransaction ended = open;
        if (ended == null) {
            return null;
        }
        ended.seal();
        open = null;
        final long sequence = nextSequence++;
        sealed.put(sequence, ended);
        return new TransactionHandle(
                        writerId,
                        attempt,
                        incarnation,
                        sequence,
                        checkpointId,
                        ended.length(),
                        ended.count(),
                        ended.checksum(),
                        lineageOf(checkpointId))
                .encode();
    }

    @Override
    public void force(final byte[] handle) {
        requireUsable();
        final TransactionHandle decoded = TransactionHandle.decode(handle);
        final StagedTransaction staged = sealed(decoded);
        if (staged == null) {
            throw new LogException(
                    folder.path() + ": " + decoded.describe() + " was not prepared by this writer, or is settled");
        }
        staged.force();
    }

    @Override
    public void commit(final byte[] handle) {
        requireUsable();
        final TransactionHandle decoded = TransactionHandle.decode(handle);
        final StagedTransaction staged = sealed(decoded);
        if (staged != null) {
            staged.write();
        }
        folder.guard(() -> committer.commit(decoded));
        settled(decoded);
    }

    @Override
    public void abort(final byte[] handle) {
        requireUsable();
        final TransactionHandle decoded = TransactionHandle.decode(handle);
        folder.guard(() -> committer.abort(decoded));
        settled(decoded);
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            folder.guard(this::closeFiles);
        } finally {
            folder.guard(() -> log.onClosed(this));
        }
    }

    private void closeFiles() {
        sealed.values().forEach(StagedTransaction::close);
        sealed.clear();
        if (open != null) {
            open.drop();
            open = null;
        }
    }

    String writerId() {
        return writerId;
    }

    long attempt() {
        return attempt;
    }

    /** A later attempt has taken over: this one must not write any more. */
    void fence() {
        isFenced = true;
    }

    private void openNext() {
        final Path file = folder.staged(TransactionHandle.stagingName(writerId, attempt, incarnation, nextSequence));
        open = new StagedTransaction(folder.files(), file, writerId, memory);
    }

    private void settled(final TransactionHandle handle) {
        final StagedTransaction staged = sealed(handle);
        if (staged != null) {
            sealed.remove(handle.sequence());
            staged.close();
        }
    }

    /** The transaction if this writer has prepared it and it is not settled, or null. */
    private StagedTransaction sealed(final TransactionHandle handle) {
        return handle.incarnation() == incarnation ? sealed.get(handle.sequence()) : null;
    }

    private void requireUsable() {
        if (isFenced || isClosed) {
            throw refused(1);
        }
    }

    private LogException refused(final int length) {
        final String who = folder.path() + ": writer " + writerId + " attempt " + attempt;
        if (isFenced) {
            return new LogException(who + " is fenced: a later attempt has taken over");
        }
        if (isClosed) {
            return new LogException(who + " is closed");
        }
        return LogException.permanent(who + ": a record of " + length
                + " bytes does not fit: a queue holds records of 1 to " + maxRecordLength + " bytes");
    }
}
