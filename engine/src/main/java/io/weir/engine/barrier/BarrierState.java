package io.weir.engine.barrier;

/** Where a task stands between barriers. */
public enum BarrierState {
    /** Inputs run and no checkpoint is open: the first barrier starts one. No channel is blocked. */
    WAITING,

    /**
     * A checkpoint is open and its cut is still to come: some channels may have delivered its barrier and are blocked, others
     * have yet to.
     */
    ALIGNING,

    /** The cut was made ahead of some barriers: the data before those is captured, and processed. No channel is blocked. */
    CAPTURING,

    /** At least once: some barriers of a checkpoint are in. No channel is ever blocked. */
    COUNTING,

    /**
     * The coordinator triggered the task while inputs still run: it knows that their senders have finished, but the ends
     * of data are still on their way. The snapshot follows the last of them. No channel is blocked.
     */
    HOLDING_TRIGGER,

    /** No input runs: the task is a source, or all its inputs have ended. Only the coordinator's triggers count. */
    NO_RUNNING_INPUTS
}
