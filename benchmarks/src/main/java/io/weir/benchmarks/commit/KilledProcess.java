package io.weir.benchmarks.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A {@link RecoveryChild} with this JVM's flags and class path, and what it has told. */
final class KilledProcess {
    private final Process process;
    private final Map<String, Long> toldNs = new ConcurrentHashMap<>();

    private KilledProcess(final Process process) {
        this.process = process;
        final Thread listener = new Thread(this::listen, "recovery-child");
        listener.setDaemon(true);
        listener.start();
    }

    static KilledProcess start(final Path folder, final long beginNs, final RecoveryOptions options)
            throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RecoveryChild.class.getName()));
        command.addAll(List.of(
                folder.toString(),
                Long.toString(beginNs),
                Long.toString(options.perSecond()),
                Long.toString(options.intervalMs())));
        return new KilledProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line; (line = lines.readLine()) != null; ) {
                final String[] words = line.split(" ", -1);
                toldNs.put(words[0], Long.parseLong(words[1]));
            }
        } catch (final IOException e) {
            // The pipe of a killed process breaks; whether it was killed too early is seen by what is missing.
            toldNs.put("broken", System.nanoTime());
        }
    }

    /** When it told something, on this machine's clock; 0 if it has not. */
    long toldNs(final String what) {
        return toldNs.getOrDefault(what, 0L);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL, and waits until the system has taken back what it held. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
