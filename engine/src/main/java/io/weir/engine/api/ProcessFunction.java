package io.weir.engine.api;

import java.io.Serializable;

/**
 * Processes records, with sight of time and side outputs.
 *
 * <p>A lambda is shared by all tasks; an object of a class is copied by serialization for each task, so that fields set in
 * {@link #open()} are the task's own. The type of the results cannot be seen in a lambda: call {@link Stream#codec} behind it
 * where the results go to another task.
 *
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
@FunctionalInterface
public interface ProcessFunction<T, R> extends Serializable {
    /**
     * Called once before the first record. Task thread.
     *
     * @throws Exception if it fails: the job fails.
     */
    default void open() throws Exception {}

    /**
     * Processes a record. Task thread.
     *
     * @param value the record; a flyweight is valid during the call only.
     * @param context of the call.
     * @param out takes the results.
     * @throws Exception if it fails: the job fails.
     */
    void process(T value, ProcessContext context, Collector<R> out) throws Exception;

    /** Frees what {@link #open()} took, also after a failure. Task thread. */
    default void close() {}
}
