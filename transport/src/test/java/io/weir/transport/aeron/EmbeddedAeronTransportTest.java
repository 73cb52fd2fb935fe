package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.transport.Recorder;
import io.weir.transport.Task;
import io.weir.transport.Transport;
import io.weir.transport.TransportContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmbeddedAeronTransportTest extends TransportContract {
    private AeronTransport aeron;

    @Override
    protected Transport openTransport() {
        aeron = AeronTransport.launch(new AeronContext()
                .aeronDirectory(null)
                .dataTermLength(64 * 1024)
                .mtuLength(8 * 1024));
        return aeron;
    }

    @Test
    void shouldCarryRecordsFromOneThreadToAnother() throws Exception {
        try (Task task = Task.open(transport, 1)) {
            // given
            final int batches = 100_000;
            final FutureTask<Void> sender = new FutureTask<>(() -> sendAll(task, batches), null);
            // when
            new Thread(sender, "sender").start();
            final long[] expected = {1};
            task.await("all records", () -> {
                task.gate().poll(recorder, 1_000);
                for (final String line : recorder.take()) {
                    assertEquals(Recorder.record(0, expected[0], (int) (expected[0] % 100)), line);
                    expected[0]++;
                }
                return expected[0] > 3 * batches;
            });
            // then
            sender.get(60, TimeUnit.SECONDS);
            assertEquals(0, task.gate().poll(recorder, 1));
        }
    }

    private void sendAll(final Task task, final int batches) {
        long next = 1;
        for (int i = 0; i < batches; i++) {
            feed.clear();
            for (int n = 0; n < 3; n++) {
                feed.add(next, (int) (next % 100));
                next++;
            }
            task.send(() -> feed.offerBatch(task.output(0)));
        }
    }

    @AfterEach
    void leaveNothingBehind() {
        aeron.close();
        assertEquals(0, aeron.errorCount(), "errors of driver and client");
        assertFalse(Files.exists(Path.of(aeron.aeronDirectory())), aeron.aeronDirectory());
    }
}
