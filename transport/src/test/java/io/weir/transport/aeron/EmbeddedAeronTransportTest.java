package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.transport.Transport;
import io.weir.transport.TransportContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

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

    @AfterEach
    void leaveNothingBehind() {
        aeron.close();
        assertEquals(0, aeron.errorCount(), "errors of driver and client");
        assertFalse(Files.exists(Path.of(aeron.aeronDirectory())), aeron.aeronDirectory());
    }
}
