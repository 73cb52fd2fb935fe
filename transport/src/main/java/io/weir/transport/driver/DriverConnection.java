package io.weir.transport.driver;

import io.aeron.Aeron;
import io.weir.transport.JvmFlags;
import io.weir.transport.TransportException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/**
 * A client of a media driver, and the driver itself where it is embedded. Neither has a thread: {@link #pump()} runs both,
 * one caller at a time.
 *
 * <p>An interrupt would make Aeron give up driver or client for good. So the interrupt flag is set aside while they run.
 */
public final class DriverConnection implements AutoCloseable {
    /** How long buffers of streams that were torn down under us stay mapped: a reader in the middle of a batch is safe. */
    private static final long RESOURCE_LINGER_NS = TimeUnit.SECONDS.toNanos(30);

    private final ConductorLock lock;
    private final CountingErrorHandler errorHandler;
    private final EmbeddedDriver driver;
    private final Aeron aeron;
    private final Agent driverAgent;
    private final Agent clientAgent;
    private Agent terminated;
    private boolean isClosed;

    private DriverConnection(
            final ConductorLock lock,
            final CountingErrorHandler errorHandler,
            final EmbeddedDriver driver,
            final Aeron aeron) {
        this.lock = lock;
        this.errorHandler = errorHandler;
        this.driver = driver;
        this.aeron = aeron;
        driverAgent = driver == null ? null : driver.invoker().agent();
        clientAgent = aeron.conductorAgentInvoker().agent();
    }

    /**
     * Launches a driver in this process and connects to it.
     *
     * @param parent folder for the driver's directory, or null for shared memory where there is some.
     * @param errorHandler told what goes wrong while pumping.
     * @return the connection.
     * @throws IllegalStateException if the JVM lacks a flag.
     * @throws io.weir.transport.NoRoomException if the folder has no room for the driver's files.
     * @throws TransportException if the driver can't be launched.
     */
    public static DriverConnection embedded(final Path parent, final ErrorHandler errorHandler) {
        JvmFlags.check();
        final CountingErrorHandler counting = new CountingErrorHandler(errorHandler);
        return withoutInterrupt(() -> {
            final EmbeddedDriver driver =
                    EmbeddedDriver.launch(parent == null ? DriverDirectory.defaultParent() : parent, counting);
            try {
                final ConductorLock lock = new ConductorLock();
                final Aeron aeron = Aeron.connect(
                        clientContext(driver.directory(), lock, counting).driverAgentInvoker(driver.invoker()));
                return new DriverConnection(lock, counting, driver, aeron);
            } catch (final RuntimeException e) {
                CloseHelper.quietClose(driver);
                throw new TransportException("can't connect to the embedded media driver", e);
            }
        });
    }

    /**
     * Connects to a driver that runs on its own.
     *
     * @param directory of the driver.
     * @param timeoutNs until a silent driver is taken for dead, also when connecting.
     * @param errorHandler told what goes wrong while pumping.
     * @return the connection.
     * @throws IllegalStateException if the JVM lacks a flag.
     * @throws TransportException if no driver answers.
     */
    public static DriverConnection external(
            final String directory, final long timeoutNs, final ErrorHandler errorHandler) {
        JvmFlags.check();
        final CountingErrorHandler counting = new CountingErrorHandler(errorHandler);
        return withoutInterrupt(() -> {
            try {
                final ConductorLock lock = new ConductorLock();
                final Aeron aeron = Aeron.connect(clientContext(directory, lock, counting)
                        .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
                return new DriverConnection(lock, counting, null, aeron);
            } catch (final RuntimeException e) {
                throw new TransportException("no media driver answers in aeron.dir=" + directory, e);
            }
        });
    }

    /**
     * The directory of the driver.
     *
     * @return its path.
     */
    public String directory() {
        return aeron.context().aeronDirectoryName();
    }

    /**
     * Whether the driver runs in this process.
     *
     * @return true if it does.
     */
    public boolean isEmbedded() {
        return driver != null;
    }

    /**
     * The errors that were reported so far.
     *
     * @return their count.
     */
    public long errorCount() {
        return errorHandler.count();
    }

    /**
     * Gives driver and client a turn, unless another thread does or waits to. Never blocks; errors go to the handler.
     *
     * @return the amount of work done.
     */
    public int pump() {
        if (!lock.tryLock()) {
            return 0;
        }
        final boolean isInterrupted = Thread.interrupted();
        try {
            return isClosed ? 0 : turn();
        } finally {
            lock.unlock();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Makes a request to the client. May block until the driver answers.
     *
     * @param what is asked for, for errors.
     * @param request to make.
     * @param <T> of the result.
     * @return what the request gives.
     * @throws TransportException if the driver refuses or the connection is gone.
     */
    public <T> T request(final String what, final Function<Aeron, T> request) {
        return withoutInterrupt(() -> {
            lock.lock();
            try {
                if (isClosed) {
                    throw new TransportException("can't open " + what + ": the transport is closed");
                }
                // Aeron compares the driver's heartbeat with the clock first: after a long pause it has to beat before.
                turn();
                if (terminated != null) {
                    throw new TransportException("can't open " + what + ": the media driver or its client has ended");
                }
                return request.apply(aeron);
            } catch (final TransportException e) {
                throw e;
            } catch (final RuntimeException e) {
                throw new TransportException("can't open " + what + ": " + e.getMessage(), e);
            } finally {
                lock.unlock();
            }
        });
    }

    @Override
    public void close() {
        withoutInterrupt(() -> {
            lock.lock();
            try {
                if (!isClosed) {
                    isClosed = true;
                    CloseHelper.closeAll(aeron, driver);
                }
            } finally {
                lock.unlock();
            }
            return null;
        });
    }

    private int turn() {
        return turn(driverAgent) + turn(clientAgent);
    }

    private int turn(final Agent agent) {
        if (agent == null || agent == terminated) {
            return 0;
        }
        try {
            return agent.doWork();
        } catch (final AgentTerminationException e) {
            // All its streams are closed by now, and their ends say so; their buffers stay mapped until we close.
            terminated = agent;
            errorHandler.onError(e);
        } catch (final Exception e) {
            errorHandler.onError(e);
        }
        return 0;
    }

    private static Aeron.Context clientContext(
            final String directory, final ConductorLock lock, final CountingErrorHandler errorHandler) {
        return new Aeron.Context()
                .aeronDirectoryName(directory)
                .useConductorAgentInvoker(true)
                .clientLock(lock)
                .resourceLingerDurationNs(RESOURCE_LINGER_NS)
                .errorHandler(errorHandler)
                .subscriberErrorHandler(errorHandler);
    }

    private static <T> T withoutInterrupt(final Action<T> action) {
        final boolean isInterrupted = Thread.interrupted();
        try {
            return action.run();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Action<T> {
        T run();
    }
}
