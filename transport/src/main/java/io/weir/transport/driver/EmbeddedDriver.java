package io.weir.transport.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.weir.transport.NoRoomException;
import io.weir.transport.TransportException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;

/**
 * A media driver in this process without a thread of its own. Its directory goes with it. Runs under the
 * {@link ConductorLock} only.
 */
final class EmbeddedDriver implements AutoCloseable {
    /** The driver looks for ended streams this often; that is how soon a vanished sender is noticed. */
    private static final long TIMER_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The only client lives and dies with this process: a stopped or suspended one shall go on when it wakes. */
    private static final long CLIENT_LIVENESS_TIMEOUT_NS = TimeUnit.HOURS.toNanos(24);

    private final MediaDriver driver;

    private EmbeddedDriver(final MediaDriver driver) {
        this.driver = driver;
    }

    static EmbeddedDriver launch(final Path parent, final ErrorHandler errorHandler) {
        final Path directory = DriverDirectory.next(parent);
        // Who opens channels compares what they need with what is there: Aeron need not warn of the low.
        final MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.INVOKER)
                .asyncExecutorEnabled(false)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .timerIntervalNs(TIMER_INTERVAL_NS)
                .clientLivenessTimeoutNs(CLIENT_LIVENESS_TIMEOUT_NS)
                .publicationUnblockTimeoutNs(2 * CLIENT_LIVENESS_TIMEOUT_NS)
                .lowStorageWarningThreshold(0)
                .errorHandler(errorHandler);
        try {
            DriverDirectory.sweep(parent);
            DriverRoom.in(parent).fit(context);
            return new EmbeddedDriver(MediaDriver.launch(context));
        } catch (final NoRoomException e) {
            throw e;
        } catch (final RuntimeException e) {
            throw new TransportException("can't launch a media driver in " + directory, e);
        }
    }

    String directory() {
        return driver.aeronDirectoryName();
    }

    AgentInvoker invoker() {
        return driver.sharedAgentInvoker();
    }

    @Override
    public void close() {
        driver.close();
    }
}
