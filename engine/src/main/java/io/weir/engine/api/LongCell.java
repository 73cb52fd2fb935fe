package io.weir.engine.api;

/** A number that can be changed in place: an accumulator that allocates nothing. Its codec is {@link Codecs#longCell()}. */
public final class LongCell extends Flyweight {
    /** Length in bytes. */
    public static final int LENGTH = Long.BYTES;

    /** A cell with memory of its own, zero. */
    public LongCell() {
        allocate(LENGTH);
    }

    /**
     * The number.
     *
     * @return the number.
     */
    public long get() {
        return getLong(0);
    }

    /**
     * Sets the number.
     *
     * @param value the number.
     * @return this.
     */
    public LongCell set(final long value) {
        putLong(0, value);
        return this;
    }

    /**
     * Adds to the number.
     *
     * @param delta to add.
     * @return this.
     */
    public LongCell add(final long delta) {
        putLong(0, getLong(0) + delta);
        return this;
    }
}
