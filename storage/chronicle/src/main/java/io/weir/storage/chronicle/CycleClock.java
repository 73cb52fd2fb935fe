package io.weir.storage.chronicle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The time that chooses a queue's cycle files: never earlier than the newest file, so that records stay in order when the
 * wall clock is set back. Any thread.
 */
final class CycleClock implements TimeProvider {
    private final LongSupplier wallClockMs;
    private final AtomicLong latestMs = new AtomicLong(Long.MIN_VALUE);

    CycleClock(final LongSupplier wallClockMs) {
        this.wallClockMs = wallClockMs;
    }

    /** Never less than it was before. */
    @Override
    public long currentTimeMillis() {
        return atLeast(wallClockMs.getAsLong());
    }

    /** Never goes below this again; gives the time now. */
    long atLeast(final long timeMs) {
        return latestMs.accumulateAndGet(timeMs, Math::max);
    }
}
