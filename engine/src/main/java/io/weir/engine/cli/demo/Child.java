package io.weir.engine.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.transport.driver.DriverDirectory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A child process that runs the job, and the lines it prints. It ends by itself when this process does, because its input then
 * ends.
 */
final class Child {
    private final Process process;
    private final Thread reader;
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    private Child(final Process process) {
        this.process = process;
        reader = new Thread(this::read, "weir-demo-child");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a JVM with this one's class path. Its errors go where this one's go. */
    static Child start(final List<String> jvmFlags, final String mainClass, final List<String> arguments)
            throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line it printed, or null if there is none now. */
    String poll() {
        return lines.poll();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end, and until all lines are there. */
    int await() throws InterruptedException {
        final int status = process.waitFor();
        reader.join();
        return status;
    }

    /** Kills it with SIGKILL, waits until it is gone, and clears away what it left in shared memory. Idempotent. */
    void kill() throws InterruptedException, IOException {
        // By its handle: that leaves the pipe open, so that what it had told before is still read.
        process.toHandle().destroyForcibly();
        await();
        DriverDirectory.sweepAbandoned();
    }

    private void read() {
        try (BufferedReader in = process.inputReader(UTF_8)) {
            for (String line; (line = in.readLine()) != null; ) {
                lines.add(line);
            }
        } catch (final IOException e) {
            lines.add(ChildReport.ERROR + e);
        }
    }
}
