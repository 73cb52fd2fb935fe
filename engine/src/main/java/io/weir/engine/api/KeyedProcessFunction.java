package io.weir.engine.api;

import java.io.Serializable;

/**
 * Processes the records of a keyed stream, with state and timers by key.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task, so that fields set in
 * {@link #open} are the task's own. The type of the results cannot be seen in a lambda: call {@link Stream#codec} behind it
 * where the results go to another task.
 *
 * @param <K> type of the keys.
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
@FunctionalInterface
public interface KeyedProcessFunction<K, T, R> extends Serializable {
    /**
     * Called once before the first record: the place to ask for states and keep them in fields. Task thread.
     *
     * @param states gives the states.
     * @throws Exception if it fails: the job fails.
     */
    default void open(final KeyedStates states) throws Exception {}

    /**
     * Processes a record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param context of the call: key, time, timers, side outputs.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    void process(T value, KeyedProcessContext<K> context, Collector<R> out) throws Exception;

    /**
     * A timer is due; states are those of its key. Timers fire in order of time, ties in order of the key's bytes. Results of
     * an event-time timer carry its time; those of a processing-time timer have no event time. Task thread.
     *
     * @param timeNs for which it was set, epoch nanoseconds.
     * @param domain event or processing time.
     * @param context of the call.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    default void onTimer(
            final long timeNs, final TimeDomain domain, final KeyedProcessContext<K> context, final Collector<R> out)
            throws Exception {}

    /** Frees what {@link #open} took, also after a failure. Task thread. */
    default void close() {}
}
