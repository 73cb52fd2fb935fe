package io.weir.engine.api;

import java.time.Duration;

/**
 * How long a state is kept without being touched: its time-to-live. It counts in processing time, so what a run finds expired
 * depends on the clock. What has expired is never returned; it is removed when it is met, and in small slices between records.
 *
 * <p>The elements of a list and the entries of a map expire one by one. Whether a state has a time-to-live is part of its layout
 * and is checked on restore; how long it is, and what renews it, may change from run to run.
 *
 * @param ttlNs nanoseconds, positive.
 * @param renewal what begins the time anew.
 */
public record StateTtl(long ttlNs, Renewal renewal) {
    /** What begins the time-to-live anew. */
    public enum Renewal {
        /** Writing a value. */
        WRITE,
        /** Writing or reading a value. Reading an element of a list renews all of its elements. */
        READ_OR_WRITE
    }

    /** Checks the range. */
    public StateTtl {
        if (ttlNs <= 0) {
            throw new IllegalArgumentException("ttlNs=" + ttlNs + " must be > 0");
        }
        if (renewal == null) {
            throw new IllegalArgumentException("renewal=null must be given");
        }
    }

    /**
     * Keeps a value for some time after it was written last.
     *
     * @param duration positive.
     * @return the time-to-live.
     */
    public static StateTtl afterWrite(final Duration duration) {
        return new StateTtl(nanos(duration), Renewal.WRITE);
    }

    /**
     * Keeps a value for some time after it was written or read last. Each read in a later duty cycle then writes too.
     *
     * @param duration positive.
     * @return the time-to-live.
     */
    public static StateTtl afterAccess(final Duration duration) {
        return new StateTtl(nanos(duration), Renewal.READ_OR_WRITE);
    }

    private static long nanos(final Duration duration) {
        try {
            return duration.toNanos();
        } catch (final ArithmeticException e) {
            throw new IllegalArgumentException("a time-to-live of " + duration + " is too long", e);
        }
    }
}
