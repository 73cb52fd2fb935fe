package io.weir.transport.driver;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;

/** Counts what the driver and the client conductor report, and hands it on; it never ends the process. Any thread. */
final class CountingErrorHandler implements ErrorHandler {
    private static final System.Logger LOGGER = System.getLogger("io.weir.transport");

    private final ErrorHandler next;
    private final AtomicLong count = new AtomicLong();

    CountingErrorHandler(final ErrorHandler next) {
        this.next = next;
    }

    long count() {
        return count.get();
    }

    @Override
    public void onError(final Throwable throwable) {
        count.incrementAndGet();
        try {
            next.onError(throwable);
        } catch (final RuntimeException e) {
            e.addSuppressed(throwable);
            LOGGER.log(System.Logger.Level.ERROR, "media driver error handler failed", e);
        }
    }
}
