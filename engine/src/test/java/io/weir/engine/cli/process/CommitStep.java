package io.weir.engine.cli.process;

/** The steps of a commit to a Chronicle Queue at which a process can be halted. */
enum CommitStep {
    INTENT_WRITTEN,
    INTENT_FORCED,
    RECORD_OPEN,
    RECORD_WRITTEN,
    QUEUE_FORCED,
    COMMITTED_WRITTEN,
    STAGED_DELETED
}
