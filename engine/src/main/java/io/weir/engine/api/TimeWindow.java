package io.weir.engine.api;

import java.util.concurrent.TimeUnit;

/**
 * A window of event time.
 *
 * @param startNs first instant, epoch nanoseconds.
 * @param endNs the instant behind the last, epoch nanoseconds.
 */
public record TimeWindow(long startNs, long endNs) {
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
