package io.weir.engine.recovery;

import io.weir.engine.api.RestartStrategy;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/** Decides after each failure of a job whether it starts again, and when. Pure; the job's thread. */
final class RestartBackoff {
    /** The job does not start again. */
    static final long GIVE_UP = -1;

    private final RestartStrategy strategy;
    private final SplittableRandom random;
    private final ArrayDeque<Long> failuresNs = new ArrayDeque<>();
    private int restarts;
    private long lastStartNs = Long.MIN_VALUE;
    private double nextDelayNs;

    /**
     * Of a job that has not failed yet.
     *
     * @param seed of the jitter.
     */
    RestartBackoff(final RestartStrategy strategy, final long seed) {
        this.strategy = strategy;
        random = new SplittableRandom(seed);
    }

    /** What follows on a failure at this time: how long to wait before the restart, or {@link #GIVE_UP}. */
    long onFailure(final long nowNs) {
        if (strategy instanceof RestartStrategy.FixedDelay fixed) {
            return restarts++ < fixed.maxRestarts() ? fixed.delay().toNanos() : GIVE_UP;
        }
        if (strategy instanceof RestartStrategy.ExponentialDelay exponential) {
            return exponentialDelayNs(exponential, nowNs);
        }
        final RestartStrategy.FailureRate rate = (RestartStrategy.FailureRate) strategy;
        failuresNs.add(nowNs);
        while (nowNs - failuresNs.peek() > rate.interval().toNanos()) {
            failuresNs.remove();
        }
        return failuresNs.size() > rate.maxFailures() ? GIVE_UP : rate.delay().toNanos();
    }

    private long exponentialDelayNs(final RestartStrategy.ExponentialDelay exponential, final long nowNs) {
        final boolean isFirst = lastStartNs == Long.MIN_VALUE;
        if (isFirst || nowNs - lastStartNs >= exponential.resetAfter().toNanos()) {
            nextDelayNs = exponential.initialDelay().toNanos();
        }
        final double maxDelayNs = exponential.maxDelay().toNanos();
        final double factor = 1 + exponential.jitter() * (2 * random.nextDouble() - 1);
        final long delayNs = (long) Math.min(maxDelayNs, nextDelayNs * factor);
        nextDelayNs = Math.min(maxDelayNs, nextDelayNs * exponential.multiplier());
        lastStartNs = nowNs + delayNs;
        return delayNs;
    }
}
