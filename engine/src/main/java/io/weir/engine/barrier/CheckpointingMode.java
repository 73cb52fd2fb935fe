package io.weir.engine.barrier;

/** What the state that is restored after a failure says about each record. */
public enum CheckpointingMode {
    /** It was processed once. */
    EXACTLY_ONCE,

    /** It was processed once or more often: barriers are counted and block nothing. */
    AT_LEAST_ONCE
}
