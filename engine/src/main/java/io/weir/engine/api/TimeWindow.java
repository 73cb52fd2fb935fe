package io.weir.engine.api;

import java.util.concurrent.TimeUnit;

/**
 * A window of event time.
 *
 * @param startNs first instant, epoch nanoseconds.
 * @param endNs the instant behind the last, epoch nanoseconds.
 */
public record TimeWindow(long startNs, long endNs) {
    /** All of time: the window of what is folded without windows. */
    public static final TimeWindow ALL = new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE);

    /**
     * The first instant in milliseconds.
     *
     * @return epoch milliseconds, rounded down.
     */
    public long startMs() {
        return Math.floorDiv(startNs, TimeUnit.MILLISECONDS.toNanos(1));
    }

    /**
     * The instant behind the last in milliseconds.
     *
     * @return epoch milliseconds, rounded down.
     */
    public long endMs() {
        return Math.floorDiv(endNs, TimeUnit.MILLISECONDS.toNanos(1));
    }
}
