package io.weir.engine.api;

import java.time.Duration;
import java.util.Objects;

/**
 * Whether and when a job starts again after a failure, counted within one process. Failures that would come back however often it
 * restarts, such as bad input, are never tried again.
 */
public sealed interface RestartStrategy {
    /**
     * The first failure ends the job.
     *
     * @return the strategy.
     */
    static RestartStrategy none() {
        return new FixedDelay(0, Duration.ZERO);
    }

    /**
     * Starts again up to a number of times, with the same delay before each.
     *
     * @param maxRestarts how many times, at least 0.
     * @param delay before each, not negative.
     * @return the strategy.
     */
    static RestartStrategy fixedDelay(final int maxRestarts, final Duration delay) {
        return new FixedDelay(maxRestarts, delay);
    }

    /**
     * Starts again without end, and waits longer each time: from {@code initialDelay} on twice as long as before, up to {@code
     * maxDelay}, give or take a tenth at random so that jobs which fail together don't restart together. A job that has run for
     * an hour since its last restart begins anew.
     *
     * @param initialDelay before the first, positive.
     * @param maxDelay before any, at least {@code initialDelay}.
     * @return the strategy; see {@link ExponentialDelay} for other factors.
     */
    static RestartStrategy exponentialDelay(final Duration initialDelay, final Duration maxDelay) {
        return new ExponentialDelay(initialDelay, maxDelay, 2, 0.1, Duration.ofHours(1));
    }

    /**
     * Starts again as long as not more than a number of failures fall into any interval of a length.
     *
     * @param maxFailures in one interval, at least 1; one more ends the job.
     * @param interval its length, positive.
     * @param delay before each restart, not negative.
     * @return the strategy.
     */
    static RestartStrategy failureRate(final int maxFailures, final Duration interval, final Duration delay) {
        return new FailureRate(maxFailures, interval, delay);
    }

    /**
     * See {@link RestartStrategy#fixedDelay}.
     *
     * @param maxRestarts how many times, at least 0.
     * @param delay before each, not negative.
     */
    record FixedDelay(int maxRestarts, Duration delay) implements RestartStrategy {
        /** Checks the ranges. */
        public FixedDelay {
            if (maxRestarts < 0) {
                throw new IllegalArgumentException("maxRestarts=" + maxRestarts + " must be >= 0");
            }
            requireNotNegative("restart delay", delay);
        }
    }

    /**
     * See {@link RestartStrategy#exponentialDelay}.
     *
     * @param initialDelay before the first restart, positive.
     * @param maxDelay before any, at least {@code initialDelay}.
     * @param multiplier from one delay to the next, at least 1.
     * @param jitter part of each delay by which it is longer or shorter at random, in [0, 1].
     * @param resetAfter how long the job must have run since its last restart to begin with the initial delay again, positive.
     */
    record ExponentialDelay(
            Duration initialDelay, Duration maxDelay, double multiplier, double jitter, Duration resetAfter)
            implements RestartStrategy {
        /** Checks the ranges. */
        public ExponentialDelay {
            requirePositive("initialDelay of restarts", initialDelay);
            requirePositive("maxDelay of restarts", maxDelay);
            requirePositive("resetAfter of restarts", resetAfter);
            if (maxDelay.compareTo(initialDelay) < 0) {
                throw new IllegalArgumentException(
                        "maxDelay=" + maxDelay + " of restarts must be >= initialDelay=" + initialDelay);
            }
            if (!(multiplier >= 1 && multiplier < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("multiplier=" + multiplier + " of restarts must be >= 1");
            }
            if (!(jitter >= 0 && jitter <= 1)) {
                throw new IllegalArgumentException("jitter=" + jitter + " of restarts must be in [0, 1]");
            }
        }
    }

    /**
     * See {@link RestartStrategy#failureRate}.
     *
     * @param maxFailures in one interval, at least 1.
     * @param interval its length, positive.
     * @param delay before each restart, not negative.
     */
    record FailureRate(int maxFailures, Duration interval, Duration delay) implements RestartStrategy {
        /** Checks the ranges. */
        public FailureRate {
            if (maxFailures < 1) {
                throw new IllegalArgumentException("maxFailures=" + maxFailures + " must be >= 1");
            }
            requirePositive("interval of failures", interval);
            requireNotNegative("restart delay", delay);
        }
    }

    private static void requirePositive(final String name, final Duration duration) {
        requireNotNegative(name, duration);
        if (duration.isZero()) {
            throw new IllegalArgumentException(name + "=" + duration + " must be > 0");
        }
    }

    private static void requireNotNegative(final String name, final Duration duration) {
        Objects.requireNonNull(duration, name);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + "=" + duration + " must not be negative");
        }
        if (duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(name + "=" + duration + " must be shorter than 292 years");
        }
    }
}
