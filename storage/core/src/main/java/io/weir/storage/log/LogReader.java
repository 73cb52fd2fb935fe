package io.weir.storage.log;

/** Reads one partition of a {@link ReplayableLog}. One thread at a time. */
public interface LogReader extends AutoCloseable {
    /** Result of {@link #poll} at the end of a bounded partition: nothing comes any more. */
    int END_OF_LOG = -1;

    /**
     * Hands over records that are there now. Never waits for more; allocates nothing per record.
     *
     * @param handler that takes the records.
     * @param limit the most records to hand over, positive.
     * @return how many were handed over, 0 if there is none now, {@link #END_OF_LOG} if there will never be one again.
     * @throws LogException if the log is damaged; it names the place.
     */
    int poll(LogHandler handler, int limit);

    /**
     * The place of the next record.
     *
     * @return a position to open the partition at.
     */
    long position();

    /**
     * Says where a record is, in words for an error message. Cold path.
     *
     * @param position of the record.
     * @return for example {@code ticks.csv line 17}.
     */
    String describe(long position);

    /** Frees the reader. Idempotent. */
    @Override
    void close();
}
