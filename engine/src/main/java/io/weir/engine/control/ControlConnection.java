package io.weir.engine.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;

/**
 * One client: reads its request, waits for what it asked for, writes the answer, closes. Never blocks; the server's thread only. A
 * client that goes away stops nothing that it has begun: what that came to is still told to the server.
 */
final class ControlConnection {
    private static final Logger LOGGER = System.getLogger(ControlConnection.class.getName());

    private final SocketChannel channel;
    private final ControlledJob job;
    private final long timeLimitNs;
    private final BiConsumer<ControlRequest, ControlAnswer> outcomes;
    private final ByteBuffer request = ByteBuffer.allocate(ControlRequest.MAX_LENGTH);
    private long deadlineNs;
    /** What was asked for, null while that is being read. */
    private Operation operation;

    private ControlRequest asked;
    private boolean isGone;
    /** What is left to be written, null before there is an answer. */
    private ByteBuffer answer;

    /** A new client, which has a time limit from now on for its request, and later for taking the answer. */
    ControlConnection(
            final SocketChannel channel,
            final ControlledJob job,
            final long nowNs,
            final long timeLimitNs,
            final BiConsumer<ControlRequest, ControlAnswer> outcomes) {
        this.channel = channel;
        this.job = job;
        this.timeLimitNs = timeLimitNs;
        this.outcomes = outcomes;
        this.deadlineNs = nowNs + timeLimitNs;
    }

    /** Does what can be done now. False once it is closed. */
    boolean step(final long nowNs) {
        try {
            if (answer == null && operation == null) {
                read(nowNs);
            }
            if (answer == null && operation != null) {
                await(nowNs);
            }
            if (answer != null) {
                write(nowNs);
            }
        } catch (final IOException e) {
            LOGGER.log(Level.DEBUG, "a client of the control socket is gone", e);
            close();
        }
        return channel.isOpen();
    }

    private void read(final long nowNs) throws IOException {
        final int before = request.position();
        if (channel.read(request) < 0) {
            close();
            return;
        }
        for (int i = before; i < request.position(); i++) {
            if (request.get(i) == '\n') {
                begin(new String(request.array(), 0, i, UTF_8), nowNs);
                return;
            }
        }
        if (!request.hasRemaining()) {
            answer(ControlAnswer.error("a request has at most " + ControlRequest.MAX_LENGTH + " bytes"), nowNs);
        } else if (nowNs - deadlineNs > 0) {
            answer(ControlAnswer.error("no request came in time"), nowNs);
        }
    }

    private void begin(final String line, final long nowNs) {
        try {
            asked = ControlRequest.parse(line);
            operation = Operation.begin(job, asked);
        } catch (final RuntimeException e) {
            answer(ControlAnswer.error(Operation.message(e)), nowNs);
        }
        request.clear();
    }

    private void await(final long nowNs) {
        listen();
        try {
            final ControlAnswer polled = operation.poll();
            if (polled != null) {
                outcomes.accept(asked, polled);
                answer(polled, nowNs);
            }
        } catch (final RuntimeException e) {
            answer(ControlAnswer.error(Operation.message(e)), nowNs);
        }
    }

    /** Nothing more is asked on one connection: this only hears whether the client is still there. */
    private void listen() {
        try {
            isGone = isGone || channel.read(request.clear()) < 0;
        } catch (final IOException e) {
            LOGGER.log(Level.DEBUG, "a client of the control socket is gone", e);
            isGone = true;
        }
    }

    private void answer(final ControlAnswer said, final long nowNs) {
        answer = ByteBuffer.wrap(said.text().getBytes(UTF_8));
        deadlineNs = nowNs + timeLimitNs;
    }

    private void write(final long nowNs) throws IOException {
        if (!isGone) {
            channel.write(answer);
        }
        if (isGone || !answer.hasRemaining() || nowNs - deadlineNs > 0) {
            close();
        }
    }

    /** Nobody waits any longer: says why, if something was asked. */
    void end(final String why, final long nowNs) {
        if (operation != null && answer == null) {
            answer(ControlAnswer.error(why), nowNs);
            step(nowNs);
        }
        close();
    }

    /** Whether it waits for something that was asked for, or writes an answer. */
    boolean isBusy() {
        return channel.isOpen() && (operation != null || answer != null);
    }

    void close() {
        try {
            channel.close();
        } catch (final IOException e) {
            LOGGER.log(Level.DEBUG, "a connection of the control socket can't be closed", e);
        }
    }
}
