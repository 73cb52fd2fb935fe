package io.weir.engine.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Hears SIGINT and SIGTERM. The process then ends once this is closed, so that a command can end its work in order; open it
 * first and close it last.
 */
final class StopSignal implements AutoCloseable {
    private static final long DEADLINE_S = 60;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::raise, "weir-stop");
    private Runnable action = () -> {};
    private boolean isRaised;

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Sets what a signal does, at once if it has come already. */
    void onRaise(final Runnable newAction) {
        synchronized (this) {
            action = newAction;
            if (!isRaised) {
                return;
            }
        }
        newAction.run();
    }

    synchronized boolean isRaised() {
        return isRaised;
    }

    @Override
    public void close() {
        closed.countDown();
        if (!isRaised()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (final IllegalStateException endsAlready) {
                // The signal came just now; the hook finds everything closed.
                onRaise(() -> {});
            }
        }
    }

    /** Runs on the hook: the process ends when it returns. */
    private void raise() {
        final Runnable wanted;
        synchronized (this) {
            isRaised = true;
            wanted = action;
        }
        wanted.run();
        try {
            if (!closed.await(DEADLINE_S, TimeUnit.SECONDS)) {
                System.err.println(
                        "weir: the work did not end within " + DEADLINE_S + " s of the signal; it is left as it"
                                + " is, and the same command goes on from the newest checkpoint");
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
