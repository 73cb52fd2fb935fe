package io.weir.storage.chronicle;

import java.util.function.LongSupplier;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The time that chooses a queue's cycle files: never earlier than the newest file, so that records stay in order when the
 * wall clock is set back.
 */
final class CycleClock implements TimeProvider {
    private final LongSupplier wallClockMs;
    private volatile long floorMs = Long.MIN_VALUE;

    CycleClock(final LongSupplier wallClockMs) {
        this.wallClockMs = wallClockMs;
    }

    @Override
    public long currentTimeMillis() {
        return Math.max(floorMs, wallClockMs.getAsLong());
    }

    /** Never goes below this again. */
    void floorMs(final long timeMs) {
        floorMs = Math.max(floorMs, timeMs);
    }
}
