package io.weir.engine.api;

/** How the state in a savepoint is written. */
public enum SavepointFormat {
    /** In a form that every state backend reads, at any parallelism: for upgrades, and to keep. */
    CANONICAL,

    /** In the form of the state backend that the job has, which alone reads it: faster to write and to restore. */
    NATIVE
}
