package io.weir.engine.api;

/**
 * Takes what a function emits. Task thread, during the call of the function only.
 *
 * @param <R> type of the records.
 */
@FunctionalInterface
public interface Collector<R> {
    /**
     * Emits a record. It carries the timestamp of the record or timer that it was made from.
     *
     * @param value the record, not null; a flyweight may be reused after the call.
     * @throws Exception if a function further down the same task fails; let it pass.
     */
    void collect(R value) throws Exception;
}
