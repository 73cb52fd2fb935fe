package io.weir.transport;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of its own with the test's class path. What it prints goes to a file. */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final Path output;

    private ChildJvm(final Process process, final Path output) {
        this.process = process;
        this.output = output;
    }

    public static ChildJvm start(final Path folder, final List<String> flags, final List<String> mainAndArguments)
            throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(mainAndArguments);
        final Path output = Files.createTempFile(folder, "child", ".out");
        return new ChildJvm(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    public String output() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    public int awaitExit() throws IOException, InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            fail("a child process did not end: " + output());
        }
        return process.exitValue();
    }

    /** Ends the process without a chance to tidy up. */
    public void kill() throws IOException, InterruptedException {
        process.destroyForcibly();
        awaitExit();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            awaitExit();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
