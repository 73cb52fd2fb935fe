package io.weir.storage.chronicle;

/** Told of each step of a commit, so that a test can halt the process there. */
@FunctionalInterface
interface CommitProbe {
    /** Does nothing. */
    CommitProbe NONE = step -> {};

    /** The steps of a commit, in order; the two of a record come once for each. */
    enum Step {
        INTENT_WRITTEN,
        INTENT_FORCED,
        RECORD_OPEN,
        RECORD_WRITTEN,
        QUEUE_FORCED,
        COMMITTED_WRITTEN,
        STAGED_DELETED
    }

    void reached(Step step);
}
