package io.weir.engine.api;

import java.time.Duration;

/**
 * Windows of one size, end to end, aligned to event time zero plus an offset: {@code [k*size + offset, (k+1)*size + offset)}.
 *
 * @param sizeNs of a window in nanoseconds, positive.
 * @param offsetNs in [0, sizeNs).
 */
public record Tumbling(long sizeNs, long offsetNs) {
    /** Checks the ranges. */
    public Tumbling {
        if (sizeNs <= 0) {
            throw new IllegalArgumentException("window sizeNs=" + sizeNs + " must be > 0");
        }
        if (offsetNs < 0 || offsetNs >= sizeNs) {
            throw new IllegalArgumentException(
                    "window offsetNs=" + offsetNs + " must be in [0, sizeNs=" + sizeNs + ")");
        }
    }

    /**
     * Windows aligned to event time zero.
     *
     * @param size of a window.
     * @return the windows.
     */
    public static Tumbling of(final Duration size) {
        return of(size, Duration.ZERO);
    }

    /**
     * Windows aligned to an offset.
     *
     * @param size of a window.
     * @param offset added to every start, in [0, size).
     * @return the windows.
     */
    public static Tumbling of(final Duration size, final Duration offset) {
        return new Tumbling(size.toNanos(), offset.toNanos());
    }

    /**
     * The start of the window that holds a time.
     *
     * @param timestampNs epoch nanoseconds.
     * @return its start, epoch nanoseconds.
     */
    public long startOf(final long timestampNs) {
        return timestampNs - Math.floorMod(timestampNs - offsetNs, sizeNs);
    }
}
