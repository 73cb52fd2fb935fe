package io.weir.engine.task;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/** Runs one task's blocking work on I/O threads, one piece at a time, in order. Any thread. */
public final class IoLane {
    private final Executor executor;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;
    private volatile boolean closed;

    /**
     * A lane over shared threads.
     *
     * @param executor that has them.
     */
    public IoLane(final Executor executor) {
        this.executor = executor;
    }

    /**
     * Adds work behind what waits already.
     *
     * @param work that handles its own errors.
     * @return whether the lane is still open; a closed one takes nothing.
     */
    public boolean execute(final Runnable work) {
        synchronized (waiting) {
            if (closed) {
                return false;
            }
            waiting.add(work);
            if (running) {
                return true;
            }
            running = true;
        }
        try {
            executor.execute(this::run);
        } catch (final Throwable e) { // no thread for it, or it was shut down: the caller has to hear, and nothing runs
            synchronized (waiting) {
                waiting.removeLastOccurrence(work);
                running = false;
            }
            throw e;
        }
        return true;
    }

    /**
     * Takes nothing more. What waits still gets its turn, to see {@link #isClosed()} and let go of what it holds; what runs at
     * this moment goes on: see {@link #isQuiet()}. Idempotent.
     */
    public void close() {
        synchronized (waiting) {
            closed = true;
        }
    }

    /**
     * Does the last work of a closed lane, when nothing else runs or waits any more: at once on the calling thread, or else on
     * an I/O thread behind the rest.
     *
     * @param work that handles its own errors.
     */
    public void executeLast(final Runnable work) {
        synchronized (waiting) {
            if (!closed) {
                throw new IllegalStateException("the last work comes when the lane is closed");
            }
            if (running) {
                waiting.add(work);
                return;
            }
        }
        work.run();
    }

    /**
     * Whether the lane was closed.
     *
     * @return true if so.
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Whether nothing runs or waits.
     *
     * @return true if so.
     */
    public boolean isQuiet() {
        synchronized (waiting) {
            return !running;
        }
    }

    private void run() {
        while (true) {
            final Runnable work;
            synchronized (waiting) {
                work = waiting.poll();
                if (work == null) {
                    running = false;
                    return;
                }
            }
            try {
                work.run();
            } catch (
                    final Throwable
                            e) { // the lane outlives whatever its work does; the thread's handler still hears of it
                handOver(e);
            }
        }
    }

    private static void handOver(final Throwable uncaught) {
        final Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, uncaught);
    }
}
