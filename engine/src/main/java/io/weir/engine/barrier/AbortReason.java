package io.weir.engine.barrier;

/** Why a task gave up a checkpoint before its snapshot. */
public enum AbortReason {
    /** A newer barrier, cancellation or trigger made it impossible. The task declines it. */
    SUBSUMED,

    /** An upstream task cancelled it in order. The task declines it. */
    CANCELLATION,

    /** The coordinator aborted it, and so needs no decline. */
    COORDINATOR
}
