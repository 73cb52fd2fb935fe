package io.weir.engine.operator;

/**
 * One operator of one task's chain. Task thread only.
 *
 * <p>In the order of life: {@link #open}, then records, watermarks and the calls of checkpoints, {@link #close}. Everything
 * that must survive a crash is in the keyed state of the context or handed to {@link #snapshot}.
 *
 * @param <T> type of the records it takes.
 */
public interface Operator<T> extends Receiver<T>, AutoCloseable {
    /**
     * Opens the operator; downstream operators of the chain are open already, and restored state is there.
     *
     * @param context of the operator, for its whole life.
     * @throws Exception if user code fails: the task fails.
     */
    void open(OperatorContext context) throws Exception;

    /**
     * Goes on with work that was put off because the outputs were blocked (timers that were still due, the watermark behind
     * them). Called before any further input.
     *
     * @return whether everything is done now.
     * @throws Exception if user code fails: the task fails.
     */
    default boolean resume() throws Exception {
        return true;
    }

    /**
     * Processing time goes on: fires processing-time timers that are due. Once per duty cycle.
     *
     * @param nowNs epoch nanoseconds.
     * @throws Exception if user code fails: the task fails.
     */
    default void processingTime(final long nowNs) throws Exception {}

    /**
     * Some input was consumed in this duty cycle and the batch is over: time to emit what is kept per batch, such as a source
     * watermark.
     *
     * @param nowNs of the duty cycle, epoch nanoseconds.
     * @throws Exception if user code fails: the task fails.
     */
    default void batchEnd(final long nowNs) throws Exception {}

    /**
     * The last moment before the barrier goes out: may still emit. Nothing runs between this, the barrier and the snapshot.
     *
     * @param checkpointId that is about to be cut.
     * @throws Exception if user code fails: the checkpoint is declined.
     */
    default void beforeBarrier(final long checkpointId) throws Exception {}

    /**
     * The cut: hands over what is not in keyed state. Keyed state is frozen right after.
     *
     * @param snapshot to fill.
     * @throws Exception if user code fails: the checkpoint is declined.
     */
    default void snapshot(final OperatorSnapshot snapshot) throws Exception {}

    /**
     * A checkpoint has completed: everything up to its cut is safe. Rising ids; some may be left out.
     *
     * @param checkpointId of the checkpoint.
     * @throws Exception if user code fails: the task fails.
     */
    default void checkpointComplete(final long checkpointId) throws Exception {}

    /**
     * A checkpoint was given up. What was prepared for it is still wanted: it belongs to the next one.
     *
     * @param checkpointId of the checkpoint.
     */
    default void checkpointAborted(final long checkpointId) {}

    /**
     * All input has ended and {@link Long#MAX_VALUE} was seen as watermark: whether the task must stay until a checkpoint that
     * was taken after that has completed and its effects are done.
     *
     * @return true while it must stay.
     */
    default boolean awaitsFinalCheckpoint() {
        return false;
    }

    /** Frees what the operator holds, also after a failure. Idempotent. */
    @Override
    default void close() {}
}
