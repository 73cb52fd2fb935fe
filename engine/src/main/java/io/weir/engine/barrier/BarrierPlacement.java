package io.weir.engine.barrier;

/** Where a task puts its barrier into an output at the cut. */
public enum BarrierPlacement {
    /** Behind everything that is unsent, with no announcement. */
    IN_ORDER,

    /** Behind everything that is unsent, and announced: the receiver's alignment timeout runs. */
    ANNOUNCED,

    /** Ahead of everything that is unsent, which becomes output channel state, and announced. */
    OVERTAKING;

    /**
     * The placement by the checkpoint and the edge.
     *
     * @param options of the snapshot.
     * @param order of the output's edge.
     * @return where the barrier goes.
     */
    public static BarrierPlacement of(int options, EdgeOrder order) {
        if (order == EdgeOrder.KEPT || !BarrierOptions.mayOvertake(options)) {
            return IN_ORDER;
        }
        return BarrierOptions.isUnaligned(options) ? OVERTAKING : ANNOUNCED;
    }
}
