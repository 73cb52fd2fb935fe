package io.weir.engine.api;

/** What a source does with a record that its codec refuses. */
public enum OnBadRecord {
    /** Fail the job with the place of the record and the reason. */
    FAIL,
    /** Count and report it, and go on. */
    SKIP
}
