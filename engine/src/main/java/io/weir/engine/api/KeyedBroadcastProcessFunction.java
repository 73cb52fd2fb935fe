package io.weir.engine.api;

import java.io.Serializable;

/**
 * Processes the records of a keyed stream, with state and timers by key, beside broadcast records, which it keeps in broadcast
 * state. As Flink's class of that name.
 *
 * <p>Each subtask gets every broadcast record, and changes its own copy of the broadcast state. For the copies to be equal, {@link
 * #processBroadcastElement} must do the same in every subtask: depend on the record and the broadcast state alone, and not on the
 * order of records from different subtasks of the broadcast stream.
 *
 * <p>The records of the two streams interleave freely: which rules a record meets depends on timing, and two runs, or a run and
 * what is repeated of it after a failure, may differ. A checkpoint cuts both streams at once, so state, and the effect of each
 * record on it, is exactly once all the same. The watermark is the least of both streams': a broadcast stream without event time,
 * or one that is silent and not idle, holds back event-time timers.
 *
 * <p>An object of a class is copied by serialization for each task, so that fields set in {@link #open} are the task's own;
 * descriptors and codecs in its fields are shared. It may be a {@link CheckpointedFunction} besides.
 *
 * @param <K> type of the keys.
 * @param <T> type of the keyed records.
 * @param <B> type of the broadcast records.
 * @param <R> type of the results.
 */
public interface KeyedBroadcastProcessFunction<K, T, B, R> extends Serializable {
    /**
     * Called once before the first record: the place to ask for states by key and keep them in fields. Task thread.
     *
     * @param states gives the states.
     * @throws Exception if it fails: the job fails.
     */
    default void open(final KeyedStates states) throws Exception {}

    /**
     * Processes a keyed record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param context of the call: key, time, timers, side outputs, broadcast state to read.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    void processElement(T value, ReadOnlyContext<K> context, Collector<R> out) throws Exception;

    /**
     * Processes a broadcast record. There is no current key: states by key fail here, but for {@link Context#applyToKeyedState}.
     * Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param context of the call: time, side outputs, broadcast state to change.
     * @param out takes the results: every subtask emits its own.
     * @throws Exception if it fails: the job fails.
     */
    void processBroadcastElement(B value, Context<K> context, Collector<R> out) throws Exception;

    /**
     * A timer is due; as {@link KeyedProcessFunction#onTimer}. Task thread.
     *
     * @param timeNs for which it was set, epoch nanoseconds.
     * @param domain event or processing time.
     * @param context of the call.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    default void onTimer(
            final long timeNs, final TimeDomain domain, final ReadOnlyContext<K> context, final Collector<R> out)
            throws Exception {}

    /** Frees what {@link #open} took, also after a failure. Task thread. */
    default void close() {}

    /**
     * What the function may ask while it processes a keyed record or a timer. Task thread, during the call only.
     *
     * @param <K> type of the keys.
     */
    interface ReadOnlyContext<K> extends KeyedProcessContext<K> {
        /**
         * A broadcast state, to read.
         *
         * @param descriptor as given to {@link Stream#broadcast}.
         * @param <MK> type of the map's keys.
         * @param <MV> type of the map's values.
         * @return the same object each time.
         * @throws IllegalArgumentException if the broadcast stream was made without it.
         */
        <MK, MV> ReadOnlyBroadcastState<MK, MV> broadcastState(BroadcastStateDescriptor<MK, MV> descriptor);
    }

    /**
     * What the function may ask while it processes a broadcast record. Task thread, during the call only.
     *
     * @param <K> type of the keys.
     */
    interface Context<K> extends ProcessContext {
        /**
         * A broadcast state, to read and change.
         *
         * @param descriptor as given to {@link Stream#broadcast}.
         * @param <MK> type of the map's keys.
         * @param <MV> type of the map's values.
         * @return the same object each time.
         * @throws IllegalArgumentException if the broadcast stream was made without it.
         */
        <MK, MV> BroadcastState<MK, MV> broadcastState(BroadcastStateDescriptor<MK, MV> descriptor);

        /**
         * Visits every key of this subtask that a state has something for, once each, in no particular order. During a visit all
         * states of the function are those of the key, and may be changed; keys that get their first entry in the state meanwhile
         * are visited or not. The task does nothing else until all keys are visited: this costs as much as there are keys.
         *
         * @param state that the function got in {@link KeyedBroadcastProcessFunction#open}.
         * @param visitor called for each key.
         * @param <S> type of the state.
         * @throws IllegalArgumentException if the state is none of this function's.
         * @throws Exception what the visitor throws.
         */
        <S> void applyToKeyedState(S state, KeyedStateVisitor<? super K, ? super S> visitor) throws Exception;
    }

    /**
     * Takes the keys of a state.
     *
     * @param <K> type of the keys.
     * @param <S> type of the state.
     */
    @FunctionalInterface
    interface KeyedStateVisitor<K, S> {
        /**
         * One key.
         *
         * @param key to which all states belong now; a flyweight is valid during the call only.
         * @param state that is visited.
         * @throws Exception to end the visit.
         */
        void onKey(K key, S state) throws Exception;
    }
}
