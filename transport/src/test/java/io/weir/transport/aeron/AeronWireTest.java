package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.weir.transport.Recorder;
import io.weir.transport.Task;
import io.weir.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AeronWireTest {
    private final AeronTransport transport = AeronTransport.launch(
            new AeronContext().aeronDirectory(null).dataTermLength(64 * 1024).mtuLength(8 * 1024));

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void shouldNameChannelAndPositionOfAForeignMessage() {
        assertForeignMessage(100, "channel 0 of reader at position 0: expected frame version 1, found 0");
    }

    @Test
    void shouldRefuseAFragmentedMessage() {
        assertForeignMessage(3_000, ": expected a frame in one fragment, found part of one");
    }

    private void assertForeignMessage(final int length, final String expected) {
        try (Task task = Task.unopened(transport, 1)) {
            task.openGate();
            // given
            try (Foreign foreign = new Foreign(transport, task.streamId(0))) {
                task.await("a foreign message", () -> foreign.offer(length) > 0);
                // when
                final TransportException e = task.receiveFailure(new Recorder());
                // then
                assertTrue(e.getMessage().contains(expected), e.getMessage());
            }
        }
    }

    @Test
    void shouldFreeTheLogBuffersOfClosedChannels() throws IOException {
        try (Task task = Task.open(transport, 3)) {
            task.send(() -> task.output(0).offerWatermark(1));
            assertEquals(6, logBuffers());
        }
        Task.await(transport, () -> "no log buffers left", () -> {
            try {
                return logBuffers() == 0;
            } catch (final IOException e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(0, transport.errorCount());
    }

    private long logBuffers() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(transport.aeronDirectory()))) {
            return files.filter(file -> file.toString().endsWith(".logbuffer")).count();
        }
    }

    /** Another client on the same driver that sends what it likes. */
    private static final class Foreign implements AutoCloseable {
        private final Aeron aeron;
        private final ExclusivePublication publication;

        private Foreign(final AeronTransport transport, final int streamId) {
            aeron = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(transport.aeronDirectory())
                    .useConductorAgentInvoker(true));
            final long id = aeron.asyncAddExclusivePublication("aeron:ipc?term-length=64k|mtu=1408", streamId);
            final ExclusivePublication[] found = new ExclusivePublication[1];
            Task.await(transport, () -> "a foreign publication", () -> {
                aeron.conductorAgentInvoker().invoke();
                found[0] = aeron.getExclusivePublication(id);
                return found[0] != null;
            });
            publication = found[0];
        }

        private long offer(final int length) {
            return publication.offer(new UnsafeBuffer(new byte[length]));
        }

        @Override
        public void close() {
            aeron.close();
        }
    }
}
