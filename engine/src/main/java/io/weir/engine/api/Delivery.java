package io.weir.engine.api;

/** What a sink promises about the records it writes. */
public enum Delivery {
    /**
     * Every record becomes visible exactly once, in the order in which the task wrote it, together with the others of its
     * checkpoint and only after that has completed: also if tasks or the process fail and start again.
     */
    EXACTLY_ONCE
}
