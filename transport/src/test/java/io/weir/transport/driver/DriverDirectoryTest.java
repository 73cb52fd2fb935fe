package io.weir.transport.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.ChildJvm;
import io.weir.transport.JvmFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverDirectoryTest {
    @TempDir
    private Path parent;

    @Test
    void shouldNameEveryDirectoryAnew() {
        assertNotEquals(DriverDirectory.next(parent), DriverDirectory.next(parent));
    }

    @Test
    void shouldSweepWhatAKilledProcessLeft() throws IOException, InterruptedException {
        // given
        try (ChildJvm child = ChildJvm.start(
                parent, List.of(JvmFlags.REQUIRED), List.of(DriverThatDies.class.getName(), parent.toString()))) {
            assertEquals(DriverThatDies.STATUS, child.awaitExit(), child.output());
        }
        assertEquals(1, directories());
        // when
        try (DriverConnection connection = DriverConnection.embedded(parent, error -> {})) {
            // then
            assertEquals(1, directories());
            assertTrue(Files.exists(Path.of(connection.directory())));
        }
        assertEquals(0, directories());
    }

    @Test
    void shouldLeaveAloneWhatIsNotAbandoned() throws IOException {
        // given
        final Path own = Files.createDirectory(DriverDirectory.next(parent));
        final String name = own.getFileName().toString();
        final Path otherNamespace =
                Files.createDirectory(parent.resolve(name.replaceFirst("weir-\\d+-\\d+-", "weir-1-999999999-")));
        final Path foreign = Files.createDirectory(parent.resolve("weir-data"));
        final Path file = Files.createFile(parent.resolve(name.replaceFirst("-\\d+-\\d+-", "-999999999-1-")));
        final Path recycled =
                Files.createDirectory(parent.resolve(name.replaceFirst("(weir-\\d+-\\d+)-\\d+-", "$1-1-")));
        // when
        final int swept = DriverDirectory.sweep(parent);
        // then
        assertEquals(1, swept);
        assertFalse(Files.exists(recycled), "the directory of an earlier process with our pid");
        for (final Path kept : List.of(own, otherNamespace, foreign, file)) {
            assertTrue(Files.exists(kept), kept.toString());
        }
    }

    private long directories() throws IOException {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(Files::isDirectory).count();
        }
    }
}
