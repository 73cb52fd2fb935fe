package io.weir.engine.barrier;

/** Why a task gave up a checkpoint before its part of it was complete. */
public enum AbortReason {
    /** A newer barrier, cancellation or trigger made it impossible. The task declines it. */
    SUBSUMED,

    /** An upstream task cancelled it in order. The task declines it. */
    CANCELLATION,

    /** There is more data in flight than channel state may hold. The task declines it. */
    CHANNEL_STATE_LIMIT,

    /** The coordinator aborted it, and so needs no decline. */
    COORDINATOR
}
