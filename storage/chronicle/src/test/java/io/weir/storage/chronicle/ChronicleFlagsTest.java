package io.weir.storage.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM that lacks a flag. */
class ChronicleFlagsTest {
    private static final long CHILD_SECONDS = 60;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"sun.nio.ch", "java.lang.reflect"})
    void shouldNameTheFlagThatIsMissing(final String openedPackage) throws Exception {
        final String flag = "--add-opens=java.base/" + openedPackage + "=ALL-UNNAMED";

        final String errors = errorsWithout(flag);

        assertTrue(errors.contains("Chronicle Queue needs JVM flags that are missing"), errors);
        assertTrue(errors.contains("add to the command line: " + flag + System.lineSeparator()), errors);
    }

    @Test
    void shouldAcceptTheFlagsOfThisJvm() {
        ChronicleFlags.check();
    }

    private String errorsWithout(final String flag) throws IOException, InterruptedException {
        final Path errors = folder.resolve("errors");
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add") && !argument.equals(flag))
                .toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), CrashingJob.class.getName()));
        command.addAll(List.of(folder.toString(), "none", "0"));
        final Process job = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.to(errors.toFile()))
                .start();
        if (!job.waitFor(CHILD_SECONDS, TimeUnit.SECONDS)) {
            job.destroyForcibly();
            throw new AssertionError("the job did not end within " + CHILD_SECONDS + " s");
        }
        assertEquals(1, job.exitValue());
        return Files.readString(errors);
    }
}
