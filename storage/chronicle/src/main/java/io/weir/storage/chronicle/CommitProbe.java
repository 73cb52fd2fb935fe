package io.weir.storage.chronicle;

/** Told of each step of a commit, so that a test can halt the process there. */
@FunctionalInterface
interface CommitProbe {
    /** Does nothing. */
    CommitProbe NONE = step -> {};

    /** The steps of a commit, in order; the two of a record come once for each. */
    enum Step {
        /** The journal tells which transaction is to be committed, and behind which index; not durable yet. */
        INTENT_WRITTEN,
        /** That intent is durable. */
        INTENT_FORCED,
        /** The bytes of a record are in the queue, in a document that no reader sees yet. */
        RECORD_OPEN,
        /** The record shows to readers; it need not be durable. */
        RECORD_WRITTEN,
        /** All records of the transaction are durable. */
        QUEUE_FORCED,
        /** The journal tells that the transaction is committed. */
        COMMITTED_WRITTEN,
        /** The file of the prepared transaction is gone. */
        STAGED_DELETED
    }

    /** A step has been taken; may not return. The thread that commits. */
    void reached(Step step);
}
