package io.weir.engine.api;

/** What a process function may ask while it processes a record or timer. Task thread, during the call only. */
public interface ProcessContext {
    /** The timestamp of a record that has none. */
    long NO_TIMESTAMP = Long.MIN_VALUE;

    /**
     * The event time of the record, or the time of the event-time timer.
     *
     * @return epoch nanoseconds, or {@link #NO_TIMESTAMP}, as in a processing-time timer.
     */
    long timestampNs();

    /**
     * How far event time has come in this task: no record at or below it follows, late ones apart.
     *
     * @return epoch nanoseconds, {@link Long#MIN_VALUE} at the start, {@link Long#MAX_VALUE} at the end of all data.
     */
    long watermarkNs();

    /**
     * The time of the duty cycle.
     *
     * @return epoch nanoseconds.
     */
    long nowNs();

    /**
     * Emits a record to a side output; it carries the timestamp of the record or timer. Dropped if nobody takes the output.
     *
     * @param tag of the output.
     * @param value the record, not null.
     * @param <S> type of the record.
     * @throws Exception if a function further down the same task fails; let it pass.
     */
    <S> void sideOutput(OutputTag<S> tag, S value) throws Exception;
}
