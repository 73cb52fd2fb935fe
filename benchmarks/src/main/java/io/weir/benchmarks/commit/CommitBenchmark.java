package io.weir.benchmarks.commit;

import io.weir.benchmarks.machine.Folders;
import io.weir.engine.status.CheckpointStatus;
import io.weir.engine.status.JobStatus;
import io.weir.engine.status.JobStatus.Restart;
import io.weir.storage.chronicle.ChronicleQueueLog;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Commit latency under an open load: from the moment a record is due until somebody who reads the output sees it, through checkpoints and
 * restarts. Every row is checked before any figure is printed.
 */
public final class CommitBenchmark {
    /** Held, for else its level is forgotten: planned failures need not be told. */
    private static final Logger LOGGER = Logger.getLogger("io.weir");

    private static final long IDLE_NS = 20_000;
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int WARM_UP_SHARE = 10;
    private static final int DIGITS = 3;
    private static final double US = 1e3;

    private final CommitOptions options;
    private final Path folder;
    private final long records;
    private final Histogram all = new Histogram(DIGITS);
    private final Histogram calm = new Histogram(DIGITS);
    private final Deque<Long> failAt = new ArrayDeque<>();
    private int failuresSeen;
    private long failedAtNs;
    private boolean isDisturbed;

    private CommitBenchmark(final CommitOptions options, final Path folder) {
        this.options = options;
        this.folder = folder;
        records = options.perSecond() * options.seconds();
        final SplittableRandom random = new SplittableRandom(options.seed());
        LongStream.generate(() -> records / WARM_UP_SHARE + random.nextLong(records - records / WARM_UP_SHARE))
                .limit(options.restarts())
                .sorted()
                .forEach(failAt::add);
    }

    /**
     * Runs the benchmark and prints what it found.
     *
     * @param out to print to.
     * @param options what to measure.
     * @throws IOException if the folder can't be used.
     */
    public static void run(final PrintStream out, final CommitOptions options) throws IOException {
        LOGGER.setLevel(Level.SEVERE);
        final Path folder = Files.createTempDirectory(options.folder(), "weir-commit-");
        try {
            new CommitBenchmark(options, folder).run(out);
        } finally {
            Folders.delete(folder);
        }
    }

    private void run(final PrintStream out) throws IOException {
        final Growth growth = new Growth(folder);
        final JobStatus status;
        try (OutputTail tail = new OutputTail(CommitJob.output(folder), this::visible)) {
            try (CommitJob job = CommitJob.start(
                    new PacedLog(System.nanoTime(), options.perSecond(), records), folder, options.intervalMs())) {
                tail(tail, job, growth);
                status = job.status();
            }
            tail.poll();
            if (tail.rows() != records) {
                throw new IllegalStateException(tail.rows() + " rows were written for " + records + " records");
            }
        }
        ChronicleQueueLog.at(CommitJob.output(folder)).requireCommitted();
        print(out, status);
        growth.print(out);
    }

    /** Reads until the last record is there. */
    private void tail(final OutputTail tail, final CommitJob job, final Growth growth) {
        Thread sampler = null;
        try {
            long deadlineNs = CommitJob.deadlineNs();
            arm();
            while (tail.rows() < records) {
                noteFailures();
                if (tail.poll() > 0) {
                    deadlineNs = CommitJob.deadlineNs();
                    sampler = sampler == null ? sampler(growth) : sampler;
                } else if (System.nanoTime() - deadlineNs > 0) {
                    throw new IllegalStateException("no output any more: " + job.status());
                } else {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        } finally {
            if (sampler != null) {
                stop(sampler);
            }
        }
    }

    /** On a thread of its own: it must not keep the reader from looking. */
    private static Thread sampler(final Growth growth) {
        final Thread sampler = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        growth.sample();
                        LockSupport.parkNanos(SAMPLE_NS);
                    }
                },
                "growth");
        sampler.setDaemon(true);
        sampler.start();
        return sampler;
    }

    private static void stop(final Thread sampler) {
        sampler.interrupt();
        try {
            sampler.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the benchmark ended", e);
        }
    }

    private void arm() {
        final Long next = failAt.poll();
        if (next != null) {
            CommitJob.Failing.failAt(next);
        }
    }

    /** From a failure on records are disturbed, until one can be seen that was not due yet when it came. */
    private void noteFailures() {
        final int failures = CommitJob.Failing.failures();
        if (failures != failuresSeen) {
            failuresSeen = failures;
            failedAtNs = CommitJob.Failing.failedAtNs();
            isDisturbed = true;
            arm();
        }
    }

    private void visible(final long id, final long dueNs, final long nowNs) {
        if (id >= records / WARM_UP_SHARE) {
            all.recordValue(nowNs - dueNs);
            if (!isDisturbed) {
                calm.recordValue(nowNs - dueNs);
            }
        }
        // The rest of what was committed with it is still of the restart.
        isDisturbed &= dueNs - failedAtNs < TimeUnit.MILLISECONDS.toNanos(options.intervalMs());
    }

    private void print(final PrintStream out, final JobStatus status) {
        out.printf(
                "%,d records/s for %d s, checkpoints every %d ms, %d restarts (seed %d) at once: no record lost, none repeated,"
                        + " every count right%n",
                options.perSecond(), options.seconds(), options.intervalMs(), failuresSeen, options.seed());
        print(out, "commit latency, us, all but the first tenth: record due until a reader sees it", all);
        print(out, "commit latency, us, without records that a restart held up", calm);
        final CheckpointStatus checkpoints = status.checkpoints();
        out.printf(
                "%ncheckpoints: %,d completed, %,d given up%s%n",
                checkpoints.completed(),
                checkpoints.aborted(),
                checkpoints.lastAbortReason() == null ? "" : ", the last because " + checkpoints.lastAbortReason());
        print(out, "checkpoint duration, us, trigger until stored", checkpoints.durationNs());
        final Histogram downtime = new Histogram(DIGITS);
        status.restarts().stream().mapToLong(Restart::downtimeNs).forEach(downtime::recordValue);
        if (downtime.getTotalCount() > 0) {
            out.printf(
                    "%nrestarts: %d; from the failure until all tasks run again, ms: p50 %.2f, max %.2f%n",
                    downtime.getTotalCount(), downtime.getValueAtPercentile(50) / 1e6, downtime.getMaxValue() / 1e6);
        }
    }

    private static void print(final PrintStream out, final String title, final Histogram histogram) {
        out.printf("%n%s%n", title);
        histogram.outputPercentileDistribution(out, 1, US);
    }
}
