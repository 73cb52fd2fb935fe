package io.weir.engine.barrier;

/** Whether barriers may overtake data on an edge. */
public enum EdgeOrder {
    /** They may: what they overtake can be dealt out anew when the parallelism changes. */
    OVERTAKEN,

    /** They never do: forward and broadcast edges stay aligned in an unaligned job. */
    KEPT
}
