package io.weir.engine.api;

import java.time.Duration;
import java.util.Objects;

/**
 * Whether and when a job starts again after a failure.
 *
 * @param maxRestarts how many times, at least 0, in one process; failures that come back however often the job restarts, such
 *     as bad input, are not tried again.
 * @param delay before each, not negative.
 */
public record RestartStrategy(int maxRestarts, Duration delay) {
    /** Checks the ranges. */
    public RestartStrategy {
        Objects.requireNonNull(delay, "delay");
        if (maxRestarts < 0) {
            throw new IllegalArgumentException("maxRestarts=" + maxRestarts + " must be >= 0");
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("restart delay=" + delay + " must not be negative");
        }
    }

    /**
     * The first failure ends the job.
     *
     * @return the strategy.
     */
    public static RestartStrategy none() {
        return new RestartStrategy(0, Duration.ZERO);
    }

    /**
     * Starts again up to a number of times, with the same delay before each.
     *
     * @param maxRestarts how many times.
     * @param delay before each.
     * @return the strategy.
     */
    public static RestartStrategy fixedDelay(final int maxRestarts, final Duration delay) {
        return new RestartStrategy(maxRestarts, delay);
    }
}
