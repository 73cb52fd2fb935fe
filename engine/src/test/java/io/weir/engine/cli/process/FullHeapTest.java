package io.weir.engine.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A function that fills the heap of a small process. */
final class FullHeapTest {
    @TempDir
    Path folder;

    @Test
    void shouldEndTheJobWithAMessageAndHaveRoomForOthers() throws Exception {
        final List<String> flags = List.of("-Xmx64m", "-cp", System.getProperty("java.class.path"));
        try (WeirProcess process = WeirProcess.start(flags, folder.resolve("log"), FullHeapJob.class.getName())) {
            assertEquals(FullHeapJob.AS_EXPECTED, process.awaitEnd(), process::output);

            final String output = process.output();
            assertTrue(
                    output.contains(
                            "\nfailed: task read -> process -> write (1/1) failed: OutOfMemoryError: Java heap space"),
                    output);
            assertTrue(output.contains("\nrestarts: 2"), output);
            assertTrue(output.contains("\nmodest: FINISHED 1"), output);
        }
    }
}
