package io.weir.transport.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.Publication;
import io.weir.transport.ChildJvm;
import io.weir.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverConnectionTest {
    @TempDir
    private Path parent;

    @Test
    void shouldTellTheFlagThatTheJvmLacks() throws IOException, InterruptedException {
        try (ChildJvm child =
                ChildJvm.start(parent, List.of(), List.of(DriverThatDies.class.getName(), parent.toString()))) {
            assertEquals(1, child.awaitExit(), child.output());
            assertTrue(
                    child.output()
                            .contains("IllegalStateException: off-heap buffers need a JVM flag that is missing; "
                                    + "add to the command line: --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"),
                    child.output());
        }
    }

    @Test
    void shouldNameTheDirectoryInWhichNoDriverAnswers() {
        final String directory = parent.resolve("nobody").toString();
        final TransportException e = assertThrows(
                TransportException.class,
                () -> DriverConnection.external(directory, TimeUnit.MILLISECONDS.toNanos(50), error -> {}));
        assertEquals("no media driver answers in aeron.dir=" + directory, e.getMessage());
    }

    @Test
    void shouldNameTheFolderInWhichNoDriverCanBeLaunched() throws IOException {
        final Path file = Files.createFile(parent.resolve("file"));
        final TransportException e =
                assertThrows(TransportException.class, () -> DriverConnection.embedded(file, error -> {}));
        assertTrue(e.getMessage().contains("can't launch a media driver in " + file), e.getMessage());
    }

    @Test
    void shouldBePumpedByManyThreadsWhileStreamsComeAndGo() throws Exception {
        final AtomicBoolean isDone = new AtomicBoolean();
        final ExecutorService workers = Executors.newFixedThreadPool(3);
        try (DriverConnection connection = DriverConnection.embedded(parent, error -> {})) {
            // given
            final List<Future<?>> pumping = List.of(
                    workers.submit(() -> pumpUntil(connection, isDone)),
                    workers.submit(() -> pumpUntil(connection, isDone)),
                    workers.submit(() -> pumpUntil(connection, isDone)));
            // when
            for (int i = 1; i <= 100; i++) {
                final int streamId = i;
                final Publication publication = connection.request(
                        "stream " + i,
                        (Aeron aeron) -> aeron.addExclusivePublication(
                                CommonContext.IPC_CHANNEL + "?term-length=64k", streamId));
                publication.close();
            }
            isDone.set(true);
            for (final Future<?> future : pumping) {
                future.get(60, TimeUnit.SECONDS);
            }
            // then
            assertEquals(0, connection.errorCount());
        } finally {
            isDone.set(true);
            workers.shutdown();
            assertTrue(workers.awaitTermination(60, TimeUnit.SECONDS), "the workers end");
        }
    }

    private static void pumpUntil(final DriverConnection connection, final AtomicBoolean isDone) {
        while (!isDone.get()) {
            connection.pump();
            YieldingIdleStrategy.INSTANCE.idle();
        }
    }

    @Test
    void shouldOutliveTheInterruptOfAThreadThatPumps() {
        try (DriverConnection connection = DriverConnection.embedded(parent, error -> {})) {
            // given
            Thread.currentThread().interrupt();
            // when
            for (int i = 0; i < 1_000; i++) {
                connection.pump();
            }
            final long id = connection.request("an id", Aeron::nextCorrelationId);
            final int streamId = connection.request(
                    "a stream", aeron -> aeron.addSubscription("aeron:ipc", 5).streamId());
            // then
            assertTrue(id >= 0);
            assertEquals(5, streamId);
            assertTrue(Thread.interrupted(), "the interrupt is kept for its owner");
            assertEquals(0, connection.errorCount());
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void shouldTellWhyARequestFails() {
        try (DriverConnection connection = DriverConnection.embedded(parent, error -> {})) {
            final TransportException e = assertThrows(
                    TransportException.class,
                    () -> connection.request("the stream", aeron -> aeron.addSubscription("aeron:ipc?nonsense", 1)));
            assertTrue(e.getMessage().startsWith("can't open the stream: "), e.getMessage());
        }
    }

    @Test
    void shouldCountErrorsEvenIfTheirHandlerFails() {
        final CountingErrorHandler handler = new CountingErrorHandler(error -> {
            throw new IllegalStateException("handler");
        });
        handler.onError(new IllegalStateException("error"));
        assertEquals(1, handler.count());
    }
}
