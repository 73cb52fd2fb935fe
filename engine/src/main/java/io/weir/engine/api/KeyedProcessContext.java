package io.weir.engine.api;

/**
 * What a keyed process function may ask while it processes a record or timer. Task thread, during the call only.
 *
 * <p>Times are epoch nanoseconds below {@link Long#MAX_VALUE}. Setting the same timer twice sets it once. An event-time timer
 * that is already due fires with the next watermark.
 *
 * @param <K> type of the keys.
 */
public interface KeyedProcessContext<K> extends ProcessContext {
    /**
     * The key that states and timers belong to now. Decoded, and for numbers boxed, on demand.
     *
     * @return the key.
     */
    K key();

    /**
     * The key of a stream that was keyed with {@link Stream#keyByLong}, unboxed.
     *
     * @return the key.
     * @throws IllegalStateException if the stream was keyed otherwise.
     */
    long longKey();

    /**
     * Sets a timer of the current key that fires once the watermark has reached a time.
     *
     * @param timeNs epoch nanoseconds.
     */
    void setEventTimer(long timeNs);

    /**
     * Drops an event-time timer of the current key, if it is set.
     *
     * @param timeNs as it was set.
     */
    void cancelEventTimer(long timeNs);

    /**
     * Sets a timer of the current key that fires once the clock has reached a time.
     *
     * @param timeNs epoch nanoseconds.
     */
    void setProcessingTimer(long timeNs);

    /**
     * Drops a processing-time timer of the current key, if it is set.
     *
     * @param timeNs as it was set.
     */
    void cancelProcessingTimer(long timeNs);
}
