package io.weir.transport.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.MediaDriver;
import io.weir.transport.NoRoomException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverRoomTest {
    private static final Path PARENT = Path.of("/dev/shm");

    private final MediaDriver.Context context = new MediaDriver.Context();

    @Test
    void shouldSayWhatIsNeededWhatIsThereAndWhatToChange() {
        final DriverRoom room = new DriverRoom(PARENT, 10_000_000);

        final String message =
                assertThrows(NoRoomException.class, () -> room.fit(context)).getMessage();

        assertEquals(
                "no room for the media driver: it needs 12587008 bytes in /dev/shm, available are 10000000; give that"
                        + " file system more (containers take --shm-size for /dev/shm), or choose another folder by"
                        + " -Dweir.transport.embedded.parent",
                message);
        new DriverRoom(PARENT, 12_587_008).fit(context);
    }

    @Test
    void shouldTakeFewerCountersWhereThereIsLittleRoom() {
        final int length = context.counterValuesBufferLength();

        new DriverRoom(PARENT, 64L << 20).fit(context);
        assertTrue(DriverRoom.bytes(context) < 16L << 20, context::toString);

        final MediaDriver.Context ample = new MediaDriver.Context();
        new DriverRoom(PARENT, 1L << 30).fit(ample);
        assertEquals(length, ample.counterValuesBufferLength());
    }

    @Test
    void shouldNeedWhatADriverTakes(@TempDir final Path parent) throws IOException {
        try (EmbeddedDriver driver = EmbeddedDriver.launch(parent, error -> {
                    throw new AssertionError(error);
                });
                Stream<Path> files = Files.walk(Path.of(driver.directory()))) {
            assertEquals(
                    DriverRoom.bytes(context),
                    files.filter(Files::isRegularFile)
                            .mapToLong(DriverRoomTest::length)
                            .sum());
        }
    }

    private static long length(final Path file) {
        try {
            return Files.size(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
