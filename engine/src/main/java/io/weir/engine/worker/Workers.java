package io.weir.engine.worker;

import io.weir.transport.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/** The engine's worker threads. Any thread. */
public final class Workers implements AutoCloseable {
    private static final Logger LOGGER = System.getLogger(Workers.class.getName());
    private static final long MAX_SPINS = 20;
    private static final long MAX_YIELDS = 50;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final IdleStrategy RESTING = new SleepingMillisIdleStrategy(1);
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(5);

    private final List<Worker> workers = new ArrayList<>();
    /** The newest of each worker; set by the thread that watches, read by the one that closes. */
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private final boolean pinned;
    private final int[] own;
    private final boolean spin;
    private final ErrorHandler errorHandler;
    private final String idleStrategy;
    private final Reserve reserve = new Reserve(Reserve.LENGTH);
    private final AtomicInteger alive = new AtomicInteger();
    private final AtomicReference<Runnable> last = new AtomicReference<>();
    /** The newest error that there was no room to tell. */
    private final AtomicReference<Throwable> untold = new AtomicReference<>();

    private volatile boolean closed;

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
        this.pinned = pinned;
        this.errorHandler = errorHandler;
        final int cores = Runtime.getRuntime().availableProcessors();
        spin = count < cores;
        idleStrategy = (spin ? "busy spin" : "back off") + " (" + count + " workers on " + cores + " cores)";
        LOGGER.log(Level.INFO, "workers started: count={0} cores={1} idle={2}", count, cores, idleStrategy);
        own = pinned ? Pinning.cores() : new int[0];
        for (int i = 0; i < count; i++) {
            workers.add(new Worker("weir-worker-" + i, transport, clock, reserve));
            threads.add(start(i));
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

    /**
     * Closes the tasks that still run and ends the threads; the error handler hears what went wrong. A thread that does not come
     * back from a task is interrupted and then left behind: see {@link #afterLast}. Idempotent.
     */
    @Override
    public void close() {
        closed = true;
        final Throwable error = untold.getAndSet(null);
        if (error != null) {
            errorHandler.onError(error);
        }
        for (final Thread thread : threads) {
            if (!hasEnded(thread)) {
                thread.interrupt();
                if (!hasEnded(thread)) {
                    errorHandler.onError(new IllegalStateException("thread " + thread.getName()
                            + " does not come back from a task and was left behind; it is "
                            + new Whereabouts(thread).describe()));
                }
            }
        }
    }

    /**
     * Runs something when no worker's thread is left that could use it: at once, or by the last thread that comes back. After
     * {@link #close()}.
     *
     * @param work that frees what tasks use.
     */
    public void afterLast(final Runnable work) {
        last.set(work);
        if (alive.get() == 0) {
            runLast();
        }
    }

    /**
     * One of the workers.
     *
     * @param index of the worker.
     * @return the worker.
     */
    Worker worker(final int index) {
        return workers.get(index);
    }

    /** Another thread takes over a worker whose own does not come back from a task. */
    void giveUp(final int index, final long turn, final long forNs) {
        if (!closed && workers.get(index).giveUp(turn, forNs)) {
            LOGGER.log(
                    Level.WARNING,
                    "worker gets a new thread: name={0}",
                    workers.get(index).roleName());
            threads.set(index, start(index));
        }
    }

    private Thread start(final int index) {
        final Worker worker = workers.get(index);
        final String name = worker.roleName();
        final IdleStrategy idle = idleStrategy(spin);
        final Runnable work = () -> run(worker, idle);
        final Thread thread = pinned ? pinned(work, name, index, own) : thread(work, name);
        alive.incrementAndGet();
        thread.start();
        return thread;
    }

    private void run(final Worker worker, final IdleStrategy idle) {
        try {
            while (!closed) {
                final int work = work(worker, idle);
                if (work == Worker.GIVEN_UP) {
                    return;
                }
            }
            worker.onClose();
        } catch (final Throwable e) {
            tell(e);
        } finally {
            if (alive.decrementAndGet() == 0) {
                runLast();
            }
        }
    }

    /** One duty cycle; a worker's thread outlives whatever is thrown in it. */
    private int work(final Worker worker, final IdleStrategy idle) {
        try {
            final int work = worker.doWork();
            Thread.interrupted(); // of no meaning here: a function may have set it
            if (work != Worker.GIVEN_UP) {
                // A worker without tasks leaves its core to whoever is about to open some.
                (worker.hasTasks() ? idle : RESTING).idle(work);
            }
            return work;
        } catch (final Throwable e) {
            tell(e);
            return 1;
        }
    }

    /** A full heap may have no room for telling of it, and the tasks that fill it have to be closed by this very thread. */
    private void tell(final Throwable error) {
        try {
            errorHandler.onError(error);
        } catch (final OutOfMemoryError e) {
            reserve.spend();
            untold.lazySet(error);
        } catch (final Throwable e) {
            LOGGER.log(Level.ERROR, "error handler failed", e);
        }
    }

    private void runLast() {
        final Runnable work = last.getAndSet(null);
        if (work != null) {
            work.run();
        }
    }

    private static boolean hasEnded(final Thread thread) {
        final IdleStrategy wait = new SleepingMillisIdleStrategy(1);
        final long deadlineNs = System.nanoTime() + CLOSE_NS;
        while (thread.isAlive() && System.nanoTime() - deadlineNs < 0) {
            wait.idle();
        }
        return !thread.isAlive();
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
