package io.weir.engine.operator;

/** Counts; written by the task thread only, read by any. */
public interface Counter {
    /**
     * Adds to the count. Ordered, not fenced.
     *
     * @param delta to add.
     */
    void add(long delta);

    /**
     * The count.
     *
     * @return its value.
     */
    long get();
}
