package io.weir.engine.control;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Serves one job on a daemon thread of its own: sleeps until a client comes, then looks after all clients some hundred times a
 * second. Nothing that a client does or leaves undone keeps another waiting.
 */
final class ControlServer implements Runnable, AutoCloseable {
    private static final Logger LOGGER = System.getLogger(ControlServer.class.getName());
    private static final int MAX_CONNECTIONS = 64;
    private static final long LOOK_MS = 5;
    private static final long LAST_ANSWERS_NS = TimeUnit.SECONDS.toNanos(10);

    private final ControlSocket socket;
    private final ControlledJob job;
    private final long timeLimitNs;
    private final Selector selector;
    private final Thread thread;
    private final List<ControlConnection> connections = new ArrayList<>();
    private volatile boolean isClosing;
    private volatile StopOutcome stopOutcome;

    /** A server of a client that has to tell its request, and to take its answer, within a time limit. */
    ControlServer(final ControlSocket socket, final ControlledJob job, final long timeLimitNs) throws IOException {
        this.socket = socket;
        this.job = job;
        this.timeLimitNs = timeLimitNs;
        selector = Selector.open();
        thread = new Thread(this, "weir-control-" + job.status().jobName());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try (selector;
                socket) {
            final SelectionKey accepting = socket.channel().register(selector, SelectionKey.OP_ACCEPT);
            while (!isClosing) {
                accepting.interestOps(connections.size() < MAX_CONNECTIONS ? SelectionKey.OP_ACCEPT : 0);
                selector.select(connections.isEmpty() ? 0 : LOOK_MS);
                selector.selectedKeys().clear();
                accept();
                step();
            }
            sayLastAnswers();
        } catch (final IOException | RuntimeException e) {
            LOGGER.log(Level.ERROR, "the job can't be asked any more: socket=" + socket.path(), e);
        } finally {
            connections.forEach(ControlConnection::close);
        }
    }

    private void accept() throws IOException {
        while (connections.size() < MAX_CONNECTIONS) {
            final SocketChannel client = socket.channel().accept();
            if (client == null) {
                return;
            }
            client.configureBlocking(false);
            connections.add(new ControlConnection(client, job, System.nanoTime(), timeLimitNs, this::onOutcome));
        }
    }

    private void onOutcome(final ControlRequest request, final ControlAnswer answer) {
        if (request.command() == ControlRequest.Command.STOP && answer.error() == null) {
            final Path savepoint = request.format() == null
                    ? null
                    : Path.of(answer.facts().get(0).value());
            stopOutcome = new StopOutcome(request.mode(), savepoint);
        }
    }

    /** How a client has stopped the job, null if none has. Any thread. */
    StopOutcome stopOutcome() {
        return stopOutcome;
    }

    private void step() {
        final long nowNs = System.nanoTime();
        connections.removeIf(connection -> !connection.step(nowNs));
    }

    /** A job that has ended answers soon whatever was asked of it; of one that has not, nobody can wait for the answers here. */
    private void sayLastAnswers() throws IOException {
        final long deadlineNs = System.nanoTime() + LAST_ANSWERS_NS;
        while (job.status().state().isTerminal()
                && connections.stream().anyMatch(ControlConnection::isBusy)
                && System.nanoTime() - deadlineNs < 0) {
            selector.select(LOOK_MS);
            selector.selectedKeys().clear();
            step();
        }
        final long nowNs = System.nanoTime();
        connections.forEach(
                connection -> connection.end("the job is not served any more; what was asked for may go on", nowNs));
    }

    /** Gives the last answers, and waits for the end of the thread. Idempotent. */
    @Override
    public void close() {
        isClosing = true;
        selector.wakeup();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (final InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
