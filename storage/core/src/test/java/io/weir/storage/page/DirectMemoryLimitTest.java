package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** State that is larger than the direct memory a process may have. */
final class DirectMemoryLimitTest {
    /** The process: fills a state until it is refused, and prints what it is told. */
    public static final class Filler {
        private Filler() {}

        /**
         * Fills.
         *
         * @param arguments none.
         */
        public static void main(final String[] arguments) {
            final FolderSegments segments = new FolderSegments(new MemoryFileStore());
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[1000]);
            final StateDescriptor state = new StateDescriptor("uid/state", "bytes", "bytes");
            try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
                for (int i = 0; i < 100_000; i++) {
                    bytes.putInt(0, i);
                    store.valueTable(state).put(0, bytes, 0, 8, bytes, 0, 900);
                }
                System.out.println("not refused");
            } catch (final StateException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheRemedyWhenDirectMemoryIsFull() throws IOException, InterruptedException {
        // given
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+IgnoreUnrecognizedVMOptions");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-XX:MaxDirectMemorySize=12m", "-Xmx64m", "-XX:+UseSerialGC", "-cp"));
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(Filler.class.getName());

        // when
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the process hangs");

            // then
            assertTrue(output.contains("raise -XX:MaxDirectMemorySize"), output);
            assertTrue(output.contains("scratch file"), output);
            assertEquals(0, process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
