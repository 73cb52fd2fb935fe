package io.weir.storage.log;

import java.util.List;
import org.agrona.DirectBuffer;

/**
 * One writer's transactions on a {@link TransactionalLog}.
 *
 * <p>{@link #append} and {@link #prepare} run on the task's thread and never wait for a disk. {@link #force}, {@link
 * #commit}, {@link #abort} and {@link #recover} may block and run on one I/O thread, also while the task appends to the
 * next transaction. A handle is opaque bytes that stay valid across processes until the transaction was committed or
 * aborted.
 */
public interface TransactionalWriter extends AutoCloseable {
    /**
     * Settles what an earlier attempt left: commits the given transactions in order, aborts every other one of this writer.
     * I/O thread, once, before the first {@link #append}.
     *
     * <p>A writer must get all of its own handles, because it aborts those it does not get. Handles of writers that are no
     * more, after a job came back with another parallelism, may be given to any others: all those of one writer together, for
     * they are committed in order.
     *
     * @param prepared handles from the restored checkpoint, in order; committed ones among them change nothing.
     * @throws LogException if one of them can't be committed: its records would be lost.
     */
    void recover(List<byte[]> prepared);

    /**
     * Checks that nothing was committed after a transaction under this writer's id, in the same process or a later one, as it was
     * if newer checkpoints have been lost: going on from an older one would write their records again. I/O thread, before
     * {@link #recover}; changes nothing. A log that can't tell takes it to be so.
     *
     * @param handle of the newest transaction that the restored checkpoint knows, committed or not; null if it knows that there
     *     was none.
     * @throws LogException if a later transaction of the writer was committed.
     */
    default void requireNewest(final byte[] handle) {}

    /**
     * The newest transaction that was committed under this writer's id, for {@link #requireNewest} of a later process: where a
     * job begins without a checkpoint, the log may have records of an earlier life. I/O thread.
     *
     * @return its handle, or null if there was none or the log can't tell.
     */
    default byte[] newest() {
        return null;
    }

    /**
     * Goes on with the family of writers from a checkpoint, once it is certain that no writer of the family, of whatever
     * parallelism, has committed anything for a later one. I/O thread, before {@link #recover}.
     *
     * @param mark from {@link #familyMark}, as the restored checkpoint has it.
     * @throws LogException if results of later checkpoints were committed.
     */
    default void resumeFamily(final byte[] mark) {}

    /**
     * Says how far the family of writers has come. Task thread.
     *
     * @param checkpointId of the checkpoint that keeps it.
     * @return the same bytes from every writer of the family, or null if the log can't tell or the writer has no family.
     */
    default byte[] familyMark(final long checkpointId) {
        return null;
    }

    /**
     * Drops what writers of the family left behind that are no more. I/O thread, after a checkpoint has completed in this
     * attempt: then every writer of the family that there is has recovered, and nothing else of it is needed.
     */
    default void dropAbandoned() {}

    /**
     * Adds a record to the open transaction. Invisible to readers until the commit. Task thread.
     *
     * @param buffer that holds the record.
     * @param offset of the record.
     * @param length of the record in bytes.
     * @throws LogException if the record can't be taken, for example on a full disk.
     */
    void append(DirectBuffer buffer, int offset, int length);

    /**
     * Ends the open transaction and opens the next. Task thread. What was prepared is lost with the process until it was forced.
     *
     * @param checkpointId that the transaction belongs to.
     * @return the handle to keep in the snapshot, or null if the transaction has no record.
     */
    byte[] prepare(long checkpointId);

    /**
     * Makes a prepared transaction durable; only then may its checkpoint be acknowledged. I/O thread, may block.
     *
     * @param handle from {@link #prepare}.
     * @throws LogException if that failed: the checkpoint must be declined.
     */
    void force(byte[] handle);

    /**
     * Makes a prepared transaction visible to readers, in append order. Idempotent, also after a crash in its middle.
     * Transactions are committed in the order in which they were prepared. I/O thread, may block.
     *
     * @param handle from {@link #prepare}, perhaps of an earlier process.
     * @throws LogException if that failed; it may be tried again.
     */
    void commit(byte[] handle);

    /**
     * Drops a prepared transaction. Idempotent. I/O thread, may block.
     *
     * @param handle from {@link #prepare}.
     */
    void abort(byte[] handle);

    /** Frees the writer and drops its open transaction, and prepared ones that were never forced; others stay. Idempotent. */
    @Override
    void close();
}
