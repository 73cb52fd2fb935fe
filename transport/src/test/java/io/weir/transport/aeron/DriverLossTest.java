package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.Feed;
import io.weir.transport.OutputChannel;
import io.weir.transport.Recorder;
import io.weir.transport.Task;
import io.weir.transport.TransportException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverLossTest {
    @TempDir
    private Path folder;

    @Test
    void shouldEndAllChannelsWhenTheDriverIsKilled() throws IOException, InterruptedException {
        try (ExternalDriver driver = ExternalDriver.start(folder);
                AeronTransport transport = AeronTransport.launch(new AeronContext()
                        .aeronDirectory(driver.directory().toString())
                        .driverTimeoutNs(TimeUnit.SECONDS.toNanos(3))
                        .errorHandler(error -> {}));
                Task task = Task.open(transport, 1)) {
            // given: the cursor stands inside a batch
            final Recorder recorder = new Recorder();
            final Feed feed = new Feed().add(1, 8).add(2, 8);
            task.send(() -> feed.offerBatch(task.output(0)));
            task.await("the first record", () -> task.gate().poll(recorder, 1) == 1);
            task.gate().block(0);
            // when
            driver.kill();
            task.await("a closed channel", () -> task.output(0).offerWatermark(1) == OutputChannel.CLOSED);
            task.gate().unblock(0);
            // then
            final TransportException e =
                    assertThrows(TransportException.class, () -> task.gate().poll(recorder, 1));
            assertTrue(e.getMessage().contains("channel 0 of reader"), e.getMessage());
            assertEquals(List.of("0 record 1 of 8"), recorder.lines());
            assertTrue(transport.errorCount() > 0, "errors reported");
            assertThrows(TransportException.class, transport::nextStreamId);
        }
    }
}
