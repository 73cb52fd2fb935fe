package io.weir.engine.operator;

/**
 * Takes a stream inside a task: the next operator of the chain, or an edge to other tasks. Task thread only.
 *
 * @param <T> type of the records.
 */
public interface Receiver<T> {
    /**
     * One record.
     *
     * @param value of the record; may be a flyweight, valid during the call only.
     * @param timestampNs event time, {@link Long#MIN_VALUE} where none was assigned.
     * @param sourceWatermarkNs the watermark of the record's own source partition when it was read, if the record was at or
     *     behind it, else {@link Long#MIN_VALUE}. It decides what is late, alike in every run. A record made from another
     *     inherits it.
     * @throws Exception if user code fails: the task fails.
     */
    void receive(T value, long timestampNs, long sourceWatermarkNs) throws Exception;

    /**
     * Event time went on: no record at or below it follows, late ones apart.
     *
     * @param watermarkNs rising; {@link Long#MAX_VALUE} at the end of all data.
     * @throws Exception if user code fails: the task fails.
     */
    void watermark(long watermarkNs) throws Exception;

    /** The stream shall not hold back the watermark until the next record or watermark. */
    void idle();
}
