package io.weir.engine.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.engine.cli.data.DataSets;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that runs a main class of the tests' class path. */
final class WeirProcess implements AutoCloseable {
    /** It did not go on from a checkpoint, or has not said so yet. */
    static final long NOTHING = 0;

    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final Pattern RESUMED = Pattern.compile("(?m)^[a-z]+: goes on from checkpoint (\\d+)$");
    private static final Pattern FLAGS = Pattern.compile("<weir\\.jvm\\.flags>(.*)</weir\\.jvm\\.flags>");

    private static final List<String> OWN_CLASS_PATH = List.of("-cp", System.getProperty("java.class.path"));

    private final Process process;
    private final Path log;

    private WeirProcess(final Process process, final Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a main class; what it prints goes to a file beside the job's folder. */
    static WeirProcess start(final Path log, final String mainClass, final Object... args) throws IOException {
        return start(Map.of(), OWN_CLASS_PATH, log, mainClass, args);
    }

    /** With some variables more in its environment. */
    static WeirProcess start(
            final Map<String, String> environment, final Path log, final String mainClass, final Object... args)
            throws IOException {
        return start(environment, OWN_CLASS_PATH, log, mainClass, args);
    }

    /** Starts a main class with other flags for the class path, {@code -cp} among them. */
    static WeirProcess start(final List<String> classPath, final Path log, final String mainClass, final Object... args)
            throws IOException {
        return start(Map.of(), classPath, log, mainClass, args);
    }

    private static WeirProcess start(
            final Map<String, String> environment,
            final List<String> classPath,
            final Path log,
            final String mainClass,
            final Object... args)
            throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags());
        // A short life is not worth much compiling.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-ea"));
        command.addAll(classPath);
        command.add(mainClass);
        Arrays.stream(args).map(Object::toString).forEach(command::add);
        final ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment().putAll(environment);
        return new WeirProcess(builder.start(), log);
    }

    /** The flags as an embedder has to set them. */
    static List<String> flags() {
        try {
            final Matcher matcher =
                    FLAGS.matcher(Files.readString(DataSets.repository().resolve("pom.xml")));
            if (!matcher.find()) {
                throw new IllegalStateException("no weir.jvm.flags in pom.xml");
            }
            return List.of(matcher.group(1).split(" "));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for something to happen, or for the end of the process. */
    void await(final String what, final BooleanSupplier condition) throws InterruptedException {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean() && process.isAlive()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException("waited in vain for " + what + ":\n" + output());
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Waits for a moment on the clock, whether the process lives or not. */
    static void awaitNs(final long atNs) {
        for (long leftNs; (leftNs = atNs - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(leftNs);
        }
    }

    /** Waits for the end. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(DEADLINE_NS, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("the process did not end:\n" + output());
        }
        return process.exitValue();
    }

    /** SIGKILL; gives whether it met the process alive. */
    boolean kill() throws InterruptedException {
        process.destroyForcibly();
        return awaitEnd() == 128 + 9;
    }

    /** Sends a signal by its name. */
    void signal(final String name) throws IOException, InterruptedException {
        final int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalStateException("kill -" + name + " failed with status " + status);
        }
    }

    /** Whether the process was started with SIGINT ignored, as shells do for jobs in the background. */
    boolean ignoresInterrupt() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }

    /** The processes that it started and that run now. */
    List<ProcessHandle> children() {
        return process.children().toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The checkpoint that it said it goes on from, or {@link #NOTHING}. */
    long resumedFrom() {
        final Matcher said = RESUMED.matcher(output());
        return said.find() ? Long.parseLong(said.group(1)) : NOTHING;
    }

    String output() {
        try {
            return Files.readString(log, UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
