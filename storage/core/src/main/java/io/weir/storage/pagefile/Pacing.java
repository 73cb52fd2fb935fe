package io.weir.storage.pagefile;

import java.util.function.LongConsumer;
import org.agrona.concurrent.NanoClock;

/** Holds a writer back so that it keeps to a bandwidth. One thread. */
final class Pacing {
    private final double nsPerByte;
    private final NanoClock clock;
    private final LongConsumer parkNs;
    private boolean started;
    private long startNs;

    /**
     * A pace.
     *
     * @param bytesPerSecond to keep to, 0 for no limit.
     * @param clock that tells when to go on.
     * @param parkNs waits for so many nanoseconds or fewer.
     */
    Pacing(final long bytesPerSecond, final NanoClock clock, final LongConsumer parkNs) {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("bytesPerSecond=" + bytesPerSecond + " must be >= 0");
        }
        this.nsPerByte = bytesPerSecond == 0 ? 0 : 1e9 / bytesPerSecond;
        this.clock = clock;
        this.parkNs = parkNs;
    }

    /**
     * Waits until the next bytes are due: those before have had their time. An interrupted thread is not held back.
     *
     * @param written bytes before.
     */
    void awaitDue(final long written) {
        if (nsPerByte == 0) {
            return;
        }
        if (!started) {
            started = true;
            startNs = clock.nanoTime();
        }
        final long afterStartNs = (long) (written * nsPerByte);
        long remainingNs = afterStartNs - (clock.nanoTime() - startNs);
        while (remainingNs > 0 && !Thread.currentThread().isInterrupted()) {
            parkNs.accept(remainingNs);
            remainingNs = afterStartNs - (clock.nanoTime() - startNs);
        }
    }
}
