package io.weir.benchmarks.commit;

import io.weir.benchmarks.machine.Folders;
import io.weir.transport.driver.DriverDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.HdrHistogram.Histogram;

/**
 * How soon output goes on: after a SIGKILL of the process, until a reader sees what the next one has written; and after an exception of
 * a user's function, inside the process. Every row is checked.
 */
public final class RecoveryBenchmark {
    /** Held, for else its level is forgotten: planned failures need not be told. */
    private static final Logger LOGGER = Logger.getLogger("io.weir");

    private static final int DIGITS = 3;
    private static final long IDLE_NS = 20_000;
    private static final long SETTLE_MS = 500;
    private static final int SETTLE_RANDOM_MS = 100;

    private final RecoveryOptions options;
    private final SplittableRandom random;
    private long sinceNs;
    private long freshNs;
    private long firstNs;

    private RecoveryBenchmark(final RecoveryOptions options) {
        this.options = options;
        random = new SplittableRandom(options.seed());
    }

    /**
     * Runs the benchmark and prints what it found.
     *
     * @param out to print to.
     * @param options what to measure.
     * @throws IOException if the folder can't be used, or no process be started.
     */
    public static void run(final PrintStream out, final RecoveryOptions options) throws IOException {
        LOGGER.setLevel(Level.SEVERE);
        final RecoveryBenchmark benchmark = new RecoveryBenchmark(options);
        out.printf(
                "%,d records/s, checkpoints every %d ms; no record lost, none repeated, every count right%n%n",
                options.perSecond(), options.intervalMs());
        out.printf("%-72s %6s %10s %10s%n", "ms", "times", "p50", "max");
        benchmark.inFolder(folder -> benchmark.kills(out, folder));
        benchmark.inFolder(folder -> benchmark.exceptions(out, folder));
    }

    @FunctionalInterface
    private interface Measurement {
        void in(Path folder) throws IOException;
    }

    private void inFolder(final Measurement measurement) throws IOException {
        final Path folder = Files.createTempDirectory(options.folder(), "weir-recovery-");
        try {
            measurement.in(folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private void kills(final PrintStream out, final Path folder) throws IOException {
        final Histogram dead = new Histogram(DIGITS);
        final Histogram main = new Histogram(DIGITS);
        final Histogram launched = new Histogram(DIGITS);
        final Histogram running = new Histogram(DIGITS);
        final Histogram first = new Histogram(DIGITS);
        final Histogram fresh = new Histogram(DIGITS);
        final long beginNs = System.nanoTime();
        KilledProcess process = KilledProcess.start(folder, beginNs, options);
        try (OutputTail tail = new OutputTail(CommitJob.output(folder), this::visible)) {
            for (int kill = 0; kill < options.kills(); kill++) {
                final KilledProcess alive = process;
                await(tail, () -> tail.rows() > 0, alive::isAlive);
                settle(tail);
                final long killedNs = System.nanoTime();
                sinceNs = killedNs;
                process.kill();
                dead.recordValue(System.nanoTime() - killedNs);
                process = KilledProcess.start(folder, beginNs, options);
                // What the dead one had committed is no sign of the next.
                drain(tail);
                firstNs = 0;
                freshNs = 0;
                final KilledProcess next = process;
                await(tail, () -> firstNs != 0, next::isAlive);
                first.recordValue(firstNs - killedNs);
                await(tail, () -> freshNs != 0, next::isAlive);
                fresh.recordValue(freshNs - killedNs);
                await(tail, () -> next.toldNs("running") != 0, next::isAlive);
                main.recordValue(next.toldNs("main") - killedNs);
                launched.recordValue(next.toldNs("launched") - killedNs);
                running.recordValue(next.toldNs("running") - killedNs);
            }
        } finally {
            process.kill();
            DriverDirectory.sweepAbandoned();
        }
        line(out, "SIGKILL until the process is gone", dead);
        line(out, "  until the next one's main method begins", main);
        line(out, "  until its engine is launched", launched);
        line(out, "  until its job runs, restored", running);
        line(out, "  until a reader sees its first output", first);
        line(out, "  until a reader sees a record that came after the kill", fresh);
    }

    private void exceptions(final PrintStream out, final Path folder) {
        final Histogram running = new Histogram(DIGITS);
        final Histogram fresh = new Histogram(DIGITS);
        try (OutputTail tail = new OutputTail(CommitJob.output(folder), this::visible);
                CommitJob job = CommitJob.start(
                        new PacedLog(System.nanoTime(), options.perSecond(), Long.MAX_VALUE),
                        folder,
                        options.intervalMs())) {
            final BooleanSupplier isAlive = () -> !job.status().state().isTerminal();
            await(tail, () -> tail.rows() > 0, isAlive);
            for (int i = 0; i < options.kills(); i++) {
                settle(tail);
                final int failures = CommitJob.Failing.failures();
                CommitJob.Failing.failAt(0);
                await(tail, () -> CommitJob.Failing.failures() != failures, isAlive);
                freshNs = 0;
                sinceNs = CommitJob.Failing.failedAtNs();
                await(tail, () -> freshNs != 0, isAlive);
                fresh.recordValue(freshNs - sinceNs);
            }
            job.status().restarts().forEach(restart -> running.recordValue(restart.downtimeNs()));
        }
        out.println();
        line(out, "exception, restart strategy without a delay: until all tasks run again", running);
        line(out, "  until a reader sees a record that came after the exception", fresh);
    }

    private void visible(final long id, final long dueNs, final long nowNs) {
        if (firstNs == 0) {
            firstNs = nowNs;
        }
        if (freshNs == 0 && dueNs - sinceNs > 0) {
            freshNs = nowNs;
        }
    }

    private static void drain(final OutputTail tail) {
        int rows;
        do {
            rows = tail.poll();
        } while (rows > 0);
    }

    /** Lets the job run for a while, to some random moment between two checkpoints. */
    private void settle(final OutputTail tail) {
        final long untilNs = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(SETTLE_MS)
                + random.nextLong(TimeUnit.MILLISECONDS.toNanos(SETTLE_RANDOM_MS));
        await(tail, () -> System.nanoTime() - untilNs > 0, () -> true);
    }

    private static void await(final OutputTail tail, final BooleanSupplier isSo, final BooleanSupplier isAlive) {
        final long deadlineNs = CommitJob.deadlineNs();
        while (!isSo.getAsBoolean()) {
            if (tail.poll() == 0) {
                if (!isAlive.getAsBoolean() || System.nanoTime() - deadlineNs > 0) {
                    throw new IllegalStateException("no output comes any more, after " + tail.rows() + " rows");
                }
                LockSupport.parkNanos(IDLE_NS);
            }
        }
    }

    private static void line(final PrintStream out, final String what, final Histogram ns) {
        out.printf(
                "%-72s %6d %10.1f %10.1f%n",
                what, ns.getTotalCount(), ns.getValueAtPercentile(50) / 1e6, ns.getMaxValue() / 1e6);
    }
}
