package io.weir.engine.api;

/** One number for the current key, without boxing. Task thread, inside the function's calls only. Allocates nothing. */
public interface LongState {
    /**
     * The number of the current key.
     *
     * @param missing what to give without one.
     * @return the number.
     */
    long get(long missing);

    /**
     * Sets the number of the current key.
     *
     * @param value the number.
     */
    void set(long value);

    /** Drops the number of the current key. */
    void clear();
}
