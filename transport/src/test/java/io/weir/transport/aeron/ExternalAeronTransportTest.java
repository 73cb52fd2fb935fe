package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.Transport;
import io.weir.transport.TransportContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalAeronTransportTest extends TransportContract {
    @TempDir
    private static Path folder;

    private static ExternalDriver driver;
    private AeronTransport aeron;

    @BeforeAll
    static void startDriver() throws IOException {
        driver = ExternalDriver.start(folder);
    }

    @AfterAll
    static void stopDriver() {
        driver.close();
    }

    @Override
    protected Transport openTransport() {
        aeron = launch();
        return aeron;
    }

    private static AeronTransport launch() {
        return AeronTransport.launch(new AeronContext()
                .aeronDirectory(driver.directory().toString())
                .dataTermLength(64 * 1024)
                .mtuLength(8 * 1024));
    }

    @AfterEach
    void leaveTheDriverAlone() {
        assertEquals(0, aeron.errorCount(), "errors of the client");
        assertTrue(Files.exists(driver.directory()));
    }

    @Test
    void shouldDrawStreamIdsThatOtherClientsOfTheDriverDoNotHave() {
        final Set<Integer> ids = new HashSet<>();
        try (AeronTransport other = launch()) {
            for (int i = 0; i < 100; i++) {
                assertTrue(ids.add(transport.nextStreamId()));
                assertTrue(ids.add(other.nextStreamId()));
            }
        }
    }
}
