package io.weir.engine.worker;

import io.weir.transport.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;

/** The engine's worker threads. Any thread. */
public final class Workers implements AutoCloseable {
    private static final Logger LOGGER = System.getLogger(Workers.class.getName());
    private static final long MAX_SPINS = 20;
    private static final long MAX_YIELDS = 50;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final List<Worker> workers = new ArrayList<>();
    private final List<AgentRunner> runners = new ArrayList<>();
    private final ErrorHandler errorHandler;
    private final String idleStrategy;

    /**
     * Starts the threads.
     *
     * @param count of workers, at least 1.
     * @param pinned whether each is pinned to a core of its own.
     * @param transport to pump.
     * @param clock of the engine.
     * @param errorHandler that hears what is not one task's failure.
     */
    public Workers(
            final int count,
            final boolean pinned,
            final Transport transport,
            final EpochNanoClock clock,
            final ErrorHandler errorHandler) {
        if (pinned && !Pinning.isAvailable()) {
            throw new IllegalStateException("pinWorkers=true needs net.openhft:affinity on the class path");
        }
        this.errorHandler = errorHandler;
        final int cores = Runtime.getRuntime().availableProcessors();
        final boolean spin = count < cores;
        idleStrategy = (spin ? "busy spin" : "back off") + " (" + count + " workers on " + cores + " cores)";
        LOGGER.log(Level.INFO, "workers started: count={0} cores={1} idle={2}", count, cores, idleStrategy);
        final int[] own = pinned ? Pinning.cores() : new int[0];
        for (int i = 0; i < count; i++) {
            final int index = i;
            final Worker worker = new Worker("weir-worker-" + index, transport, clock);
            final AgentRunner runner = new AgentRunner(idleStrategy(spin), errorHandler, null, worker);
            workers.add(worker);
            runners.add(runner);
            final String name = worker.roleName();
            AgentRunner.startOnThread(
                    runner, pinned ? work -> pinned(work, name, index, own) : work -> thread(work, name));
        }
    }

    /**
     * The workers.
     *
     * @return all of them, at least one.
     */
    public List<Worker> all() {
        return List.copyOf(workers);
    }

    /**
     * What the workers do when there is nothing to do, and why.
     *
     * @return for people.
     */
    public String idleStrategy() {
        return idleStrategy;
    }

    /** Closes the tasks that still run and ends the threads; the error handler hears what went wrong. Idempotent. */
    @Override
    public void close() {
        CloseHelper.closeAll(errorHandler, runners);
    }

    private static IdleStrategy idleStrategy(final boolean spin) {
        return spin
                ? BusySpinIdleStrategy.INSTANCE
                : new BackoffIdleStrategy(MAX_SPINS, MAX_YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }

    private static Thread pinned(final Runnable work, final String name, final int index, final int[] own) {
        if (index >= own.length) {
            LOGGER.log(Level.WARNING, "worker not pinned: name={0} no core of its own, cores={1}", name, own.length);
            return thread(work, name);
        }
        final Runnable body = () -> {
            if (!Pinning.pin(own[index])) {
                LOGGER.log(Level.WARNING, "worker not pinned: name={0} core={1}", name, own[index]);
            }
            work.run();
        };
        return thread(body, name);
    }

    private static Thread thread(final Runnable body, final String name) {
        final Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }
}
