package io.weir.benchmarks.engine;

import io.weir.benchmarks.machine.Folders;
import io.weir.engine.api.Checkpoints;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Checkpoints under back-pressure, by kind of barriers, in interleaved rounds: how long they take, what they hold, how soon the
 * slow task hears of them and has captured what was in flight. Beside them a plain forced write of as many bytes, and a copy
 * of those in flight.
 */
public final class BarrierBenchmark {
    /** Held, for else its level is forgotten: jobs come and go here, and need not say so. */
    private static final Logger LOGGER = Logger.getLogger("io.weir");

    private BarrierBenchmark() {}

    /** Kinds of barriers. */
    private enum Kind {
        ALIGNED("aligned", null),
        UNALIGNED("unaligned", Duration.ZERO),
        TIMEOUT("timeout 10 ms", Duration.ofMillis(10));

        private final String title;
        private final Duration timeout;

        Kind(final String title, final Duration timeout) {
            this.title = title;
            this.timeout = timeout;
        }

        /** Triggered one by one. */
        private Checkpoints checkpoints() {
            final Checkpoints checkpoints = Checkpoints.every(Duration.ofDays(1));
            return timeout == null ? checkpoints : checkpoints.unaligned(timeout);
        }
    }

    /**
     * Runs the benchmark and prints a table.
     *
     * @param out to print to.
     * @param options what to measure.
     * @throws IOException if the folder can't be used.
     */
    public static void run(final PrintStream out, final BarrierBenchmarkOptions options) throws IOException {
        LOGGER.setLevel(Level.WARNING);
        out.printf(
                "records of %d bytes, %.1f s per kind and round, %d rounds; times are p50 / max%n",
                options.recordLength(), options.roundNs() / 1e9, options.rounds());
        out.printf(
                "%-8s %-9s %-14s %6s %19s %10s %19s %19s %15s %13s%n",
                "us a",
                "KiB in",
                "barriers",
                "check-",
                "checkpoint, ms",
                "in flight,",
                "until heard, ms",
                "cut to",
                "plain write,",
                "copy, us");
        out.printf(
                "%-8s %-9s %-14s %6s %19s %10s %19s %19s %15s %13s%n",
                "record", "channel", "", "points", "", "bytes", "", "captured, ms", "ms", "");
        for (final int workUs : options.workUs()) {
            for (final int inFlightKib : options.inFlightKib()) {
                measure(out, options, workUs, inFlightKib);
            }
        }
    }

    private static void measure(
            final PrintStream out, final BarrierBenchmarkOptions options, final int workUs, final int inFlightKib)
            throws IOException {
        final Map<Kind, CheckpointCosts> costs = new EnumMap<>(Kind.class);
        for (int round = -1; round < options.rounds(); round++) {
            for (final Kind kind : Kind.values()) {
                final CheckpointCosts ofRound = round < 0
                        ? new CheckpointCosts()
                        : costs.computeIfAbsent(kind, anyKind -> new CheckpointCosts());
                final Path folder = Files.createTempDirectory(options.folder(), "weir-barriers-");
                try (BackPressuredJob job = BackPressuredJob.start(
                        kind.checkpoints().in(folder), workUs, inFlightKib, options.recordLength())) {
                    final long beginNs = System.nanoTime();
                    do {
                        job.awaitFullChannel();
                        ofRound.add(job.checkpoint(), folder);
                    } while (System.nanoTime() - beginNs < options.roundNs());
                } finally {
                    Folders.delete(folder);
                }
            }
        }
        for (final Kind kind : Kind.values()) {
            out.printf("%-8d %-9d %-14s %s%n", workUs, inFlightKib, kind.title, costs.get(kind));
        }
    }
}
