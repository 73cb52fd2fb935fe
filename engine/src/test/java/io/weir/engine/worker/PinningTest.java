package io.weir.engine.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.Weir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import net.openhft.affinity.Affinity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether workers are pinned is asked of the system, which knows on which cores a thread may run. */
final class PinningTest {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    private final BitSet before = Affinity.getAffinity();
    private final int[] cores = before.stream().toArray();
    private final Warnings warnings = new Warnings();
    private final Logger logger = Logger.getLogger(Workers.class.getName());

    @BeforeEach
    void listen() {
        logger.addHandler(warnings);
    }

    @AfterEach
    void setFree() {
        logger.removeHandler(warnings);
        Affinity.setAffinity(before);
    }

    @Test
    void shouldPinEachWorkerToACoreOfItsOwn() {
        // given
        final Map<String, String> expected = new TreeMap<>();
        for (int i = 0; i < cores.length; i++) {
            expected.put("weir-worker-" + i, Integer.toString(cores[i]));
        }

        // when
        try (Weir weir = Weir.launch(new Weir.Context().workers(cores.length).pinWorkers(true))) {
            // then
            await(() -> allowedCores().equals(expected), () -> expected + ", found " + allowedCores());
            assertTrue(weir.describe().contains("pinWorkers=true"), weir.describe());
        }
        assertEquals(List.of(), warnings.lines);
    }

    @Test
    void shouldNotPinUnlessAsked() {
        try (Weir weir = Weir.launch(new Weir.Context().workers(1))) {
            await(() -> allowedCores().size() == 1, () -> "a worker of " + weir.describe());
            assertEquals(Map.of("weir-worker-0", allowedCores(Path.of("/proc/thread-self"))), allowedCores());
        }
    }

    @Test
    void shouldTellWhichWorkersHaveNoCoreOfTheirOwn() {
        // given: one core, and not the first one of the machine where there are several
        final int core = cores[cores.length - 1];
        Affinity.setAffinity(core);
        final String only = Integer.toString(core);

        // when
        try (Weir weir = Weir.launch(new Weir.Context().workers(3).pinWorkers(true))) {
            // then
            await(
                    () -> allowedCores()
                            .equals(Map.of("weir-worker-0", only, "weir-worker-1", only, "weir-worker-2", only)),
                    () -> "three workers of " + weir.describe() + ", found " + allowedCores());
        }
        assertEquals(
                List.of(
                        "worker not pinned: name=weir-worker-1 no core of its own, cores=1",
                        "worker not pinned: name=weir-worker-2 no core of its own, cores=1"),
                warnings.lines);
    }

    @Test
    void shouldTellThatTheSystemRefusesACore() {
        // given: no machine has so many
        final int core = 1_000;

        // then
        assertFalse(Pinning.pin(core), "pinned to core " + core);
        assertEquals(before, Affinity.getAffinity());
    }

    /** By the name of the worker's thread. */
    private static Map<String, String> allowedCores() {
        final Map<String, String> byName = new TreeMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (final Path thread : threads.toList()) {
                final String name = read(thread.resolve("comm"));
                if (name.startsWith("weir-worker-")) {
                    byName.put(name.strip(), allowedCores(thread));
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return byName;
    }

    private static String allowedCores(final Path thread) {
        return read(thread.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("gone");
    }

    /** Empty for a thread that has ended meanwhile. */
    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException ended) {
            return "";
        }
    }

    private static void await(final BooleanSupplier condition, final Supplier<String> what) {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadlineNs, () -> "not in time: " + what.get());
            Thread.onSpinWait();
        }
    }

    private static final class Warnings extends Handler {
        private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void publish(final LogRecord entry) {
            if (entry.getLevel().equals(java.util.logging.Level.WARNING)) {
                lines.add(new SimpleFormatter().formatMessage(entry));
            }
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
