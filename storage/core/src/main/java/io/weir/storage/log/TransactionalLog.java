package io.weir.storage.log;

/** A log that takes records in transactions with two-phase commit: the raw material of a sink (DESIGN section 8). */
public interface TransactionalLog {
    /**
     * Names the log in errors and in the job's status.
     *
     * @return a name such as the path of its folder.
     */
    String name();

    /**
     * Opens the log for one writer. May block. Several writers of one job may be open at once in one process; a second
     * process that opens the same log is refused.
     *
     * @param writerId names the writer for ever: job, operator uid and subtask; no two writers share it. What stands before its
     *     last {@code /} names its family: all writers of one sink, also those of another parallelism.
     * @param attempt execution attempt: larger than any earlier one that opened this writer.
     * @return the writer, before recovery: call {@link TransactionalWriter#recover} next.
     * @throws LogException if the log can't be written.
     */
    TransactionalWriter open(String writerId, long attempt);
}
