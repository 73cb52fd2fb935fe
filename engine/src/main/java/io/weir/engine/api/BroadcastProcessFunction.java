package io.weir.engine.api;

import java.io.Serializable;

/**
 * Processes the records of a stream beside broadcast records, which it keeps in broadcast state. What {@link
 * KeyedBroadcastProcessFunction} says of order and of copies holds here too.
 *
 * @param <T> type of the stream's records.
 * @param <B> type of the broadcast records.
 * @param <R> type of the results.
 */
public interface BroadcastProcessFunction<T, B, R> extends Serializable {
    /**
     * Called once before the first record. Task thread.
     *
     * @throws Exception if it fails: the job fails.
     */
    default void open() throws Exception {}

    /**
     * Processes a record of the stream. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param context of the call.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    void processElement(T value, ReadOnlyContext context, Collector<R> out) throws Exception;

    /**
     * Processes a broadcast record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param context of the call.
     * @param out takes the results: every subtask emits its own.
     * @throws Exception if it fails: the job fails.
     */
    void processBroadcastElement(B value, Context context, Collector<R> out) throws Exception;

    /** Frees what {@link #open()} took, also after a failure. Task thread. */
    default void close() {}

    /** What the function may ask while it processes a record of the stream. Task thread, during the call only. */
    interface ReadOnlyContext extends ProcessContext {
        /**
         * A broadcast state, to read.
         *
         * @param descriptor as given to {@link Stream#broadcast}.
         * @param <K> type of the map's keys.
         * @param <V> type of the map's values.
         * @return the same object each time.
         * @throws IllegalArgumentException if the broadcast stream was made without it.
         */
        <K, V> ReadOnlyBroadcastState<K, V> broadcastState(BroadcastStateDescriptor<K, V> descriptor);
    }

    /** What the function may ask while it processes a broadcast record. Task thread, during the call only. */
    interface Context extends ReadOnlyContext {
        /**
         * A broadcast state, to read and change.
         *
         * @param descriptor as given to {@link Stream#broadcast}.
         * @param <K> type of the map's keys.
         * @param <V> type of the map's values.
         * @return the same object each time.
         * @throws IllegalArgumentException if the broadcast stream was made without it.
         */
        @Override
        <K, V> BroadcastState<K, V> broadcastState(BroadcastStateDescriptor<K, V> descriptor);
    }
}
