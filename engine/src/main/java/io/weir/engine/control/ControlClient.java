package io.weir.engine.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One question over the socket of a job's folder, and its answer. */
final class ControlClient {
    private static final int BUFFER_LENGTH = 8 * 1024;

    private final Path folder;

    ControlClient(final Path folder) {
        this.folder = folder;
    }

    /** Sends a line and waits for the answer to it. */
    ControlAnswer ask(final String line, final long limitNs) {
        final Path socket = ControlSocket.find(folder);
        if (Files.exists(socket.getParent()) && !Files.isExecutable(socket.getParent())) {
            throw new ControlException(
                    "the job in " + folder + " belongs to another user: permission denied: " + socket.getParent());
        }
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            throw new ControlException("no job runs in " + folder + ": there is no socket " + socket);
        }
        try (SocketChannel channel = connect(socket);
                Selector selector = Selector.open()) {
            for (final ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(UTF_8)); bytes.hasRemaining(); ) {
                channel.write(bytes);
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return read(channel, selector, limitNs);
        } catch (final IOException e) {
            throw new ControlException(
                    "the process of the job in " + folder + " ended before it answered: " + ControlSocket.reason(e), e);
        }
    }

    private SocketChannel connect(final Path socket) {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(socket));
        } catch (final ConnectException e) {
            throw new ControlException("no job runs in " + folder + ": its process has ended", e);
        } catch (final IOException e) {
            throw new ControlException("the job in " + folder + " can't be asked: " + ControlSocket.reason(e), e);
        }
    }

    private ControlAnswer read(final SocketChannel channel, final Selector selector, final long limitNs)
            throws IOException {
        final long beginNs = System.nanoTime();
        final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH);
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        while (true) {
            final long leftNs = limitNs - (System.nanoTime() - beginNs);
            if (leftNs <= 0) {
                throw new ControlException("the job in " + folder + " does not answer");
            }
            selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
            selector.selectedKeys().clear();
            final int length = channel.read(buffer.clear());
            if (length < 0) {
                return answer(received.toString(UTF_8));
            }
            received.write(buffer.array(), 0, length);
        }
    }

    /** The server closes behind the last line; a process that dies closes earlier. */
    private ControlAnswer answer(final String text) {
        try {
            final ControlAnswer answer = ControlAnswer.parse(text);
            if (answer != null) {
                return answer;
            }
        } catch (final IllegalArgumentException e) {
            throw new ControlException("the job in " + folder + " gives an answer that is none: " + e.getMessage(), e);
        }
        throw new ControlException("the process of the job in " + folder + " ended before it answered");
    }
}
