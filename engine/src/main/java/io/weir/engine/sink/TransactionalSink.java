package io.weir.engine.sink;

import io.weir.engine.api.Codec;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.OperatorContext;
import io.weir.engine.operator.OperatorSnapshot;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/**
 * Writes to a log exactly once, by two-phase commit (DESIGN section 8): records gather in a transaction, a checkpoint prepares it
 * and keeps its handle, the completed checkpoint commits it and every earlier one.
 *
 * <p>A transaction whose checkpoint is given up stays prepared and belongs to the next. A restore commits what the restored
 * checkpoint holds and aborts everything else of this writer; it is refused if the log shows transactions of newer checkpoints,
 * which have been lost. The writer is named by job, uid, subtask and parallelism: after a change of parallelism the writers are
 * others, for none of them has all of the transactions that one of the former writers had prepared. Each of them then commits those of
 * all former writers, in order, and only the first has work to do; what else these left is dropped once a checkpoint has completed.
 * Task thread; what may block runs through the context.
 *
 * @param <T> type of the records.
 */
public final class TransactionalSink<T> implements Operator<T> {
    private static final String PREPARED = "prepared";
    private static final String NEWEST = "newest";
    private static final String FAMILY = "family";
    private static final long NONE = Long.MAX_VALUE;
    private static final long NO_CHECKPOINT = 0;

    private final TransactionalLog log;
    private final Codec<T> codec;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(256);
    private final Deque<Transaction> uncommitted = new ArrayDeque<>();

    private OperatorContext context;
    private TransactionalWriter writer;
    /**
     * The transaction that was prepared last: here, before the restored checkpoint, or in an earlier life that wrote to the same
     * log. Its handle is empty if there was none. Null before the sink is open.
     */
    private Transaction newest;

    /** The first checkpoint of this attempt; once it is done, nothing is needed that writers of earlier ones left. */
    private long firstCheckpointId = NONE;

    private boolean hasDropped;

    private boolean ended;
    private long finalCheckpointId = NONE;
    private boolean finalCheckpointDone;

    /**
     * A sink for one task.
     *
     * @param log to write.
     * @param codec of the records, the task's own.
     */
    public TransactionalSink(final TransactionalLog log, final Codec<T> codec) {
        this.log = log;
        this.codec = codec;
    }

    /** Opens the log and commits what the restored checkpoint had prepared. May block: the data path has not started. */
    @Override
    public void open(final OperatorContext operatorContext) {
        context = operatorContext;
        hasDropped = context.subtask() != 0;
        final List<Transaction> restored = new ArrayList<>();
        final List<byte[]> prepared =
                context.isRescaled() ? context.restoredOfAll(PREPARED) : context.restored(PREPARED);
        for (final byte[] element : prepared) {
            restored.add(Transaction.decode(element));
        }
        restored.sort(Comparator.comparingLong(Transaction::checkpointId));
        writer = log.open(
                context.jobName() + '/' + context.uid() + '/' + context.subtask() + "-of-" + context.parallelism(),
                context.attempt());
        for (final byte[] element : context.restored(NEWEST)) {
            requireNewest(Transaction.decode(element));
        }
        final List<byte[]> marks = context.restoredOfAll(FAMILY);
        if (!marks.isEmpty()) {
            writer.resumeFamily(marks.get(0));
        }
        writer.recover(restored.stream().map(Transaction::handle).toList());
        if (newest == null) {
            final byte[] earlier = writer.newest();
            newest = new Transaction(NO_CHECKPOINT, earlier == null ? new byte[0] : earlier);
        }
    }

    /** With another parallelism, what was restored is of writers that are no more, and what this one wrote in an earlier life is past. */
    private void requireNewest(final Transaction known) {
        final byte[] handle = known.handle().length == 0 ? null : known.handle();
        if (!context.isRescaled()) {
            newest = known;
            writer.requireNewest(handle);
        } else if (handle != null) {
            writer.requireNewest(handle);
        }
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) {
        if (ended) {
            throw new IllegalStateException("a record came to sink " + context.uid() + " after the end of all data");
        }
        final int length = codec.encode(value, buffer, 0);
        writer.append(buffer, 0, length);
    }

    @Override
    public void watermark(final long watermarkNs) {
        ended |= watermarkNs == Long.MAX_VALUE;
    }

    @Override
    public void idle() {
        // Nobody is behind a sink.
    }

    @Override
    public void snapshot(final OperatorSnapshot snapshot) {
        final byte[] handle = writer.prepare(snapshot.checkpointId());
        if (handle != null) {
            newest = new Transaction(snapshot.checkpointId(), handle);
            uncommitted.add(newest);
        }
        final List<byte[]> elements = new ArrayList<>(uncommitted.size());
        for (final Transaction transaction : uncommitted) {
            elements.add(transaction.encode());
            if (!transaction.isForced()) {
                snapshot.beforeAcknowledge(() -> force(transaction));
            }
        }
        snapshot.listState(PREPARED, elements);
        snapshot.listState(NEWEST, List.of(newest.encode()));
        final byte[] mark = writer.familyMark(snapshot.checkpointId());
        if (mark != null) {
            snapshot.listState(FAMILY, List.of(mark));
        }
        if (firstCheckpointId == NONE) {
            firstCheckpointId = snapshot.checkpointId();
        }
        if (ended && finalCheckpointId == NONE) {
            finalCheckpointId = snapshot.checkpointId();
        }
    }

    @Override
    public void checkpointComplete(final long checkpointId) {
        final List<Transaction> due = new ArrayList<>();
        for (final Transaction transaction : uncommitted) {
            if (transaction.checkpointId() <= checkpointId && !transaction.isCommitting()) {
                transaction.markCommitting();
                due.add(transaction);
            }
        }
        if (!hasDropped && checkpointId >= firstCheckpointId) {
            hasDropped = true;
            context.execute(writer::dropAbandoned, () -> {});
        }
        final boolean last = checkpointId >= finalCheckpointId;
        if (due.isEmpty() && !last) {
            return;
        }
        // Without a transaction the action only keeps the order: earlier commits are done before the last one counts.
        context.execute(() -> commit(due), () -> committed(due, last));
    }

    @Override
    public boolean awaitsFinalCheckpoint() {
        return ended && !finalCheckpointDone;
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }

    /** I/O thread. */
    private void force(final Transaction transaction) {
        if (!transaction.isForced()) {
            writer.force(transaction.handle());
            transaction.markForced();
        }
    }

    /** I/O thread. */
    private void commit(final List<Transaction> transactions) {
        for (final Transaction transaction : transactions) {
            writer.commit(transaction.handle());
        }
    }

    private void committed(final List<Transaction> transactions, final boolean last) {
        uncommitted.removeAll(transactions);
        finalCheckpointDone |= last;
    }
}
