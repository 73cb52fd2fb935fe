package io.weir.benchmarks.commit;

import io.weir.engine.Job;
import io.weir.engine.Weir;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.status.JobStatus;
import io.weir.storage.chronicle.ChronicleQueueLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts paced records by key and writes them to a Chronicle queue in two phases; fails when asked. One at a time in a process. */
final class CommitJob implements AutoCloseable {
    /** Restarts come at once: what the figures tell is the engine's own time. */
    static final RestartStrategy RESTARTS = RestartStrategy.fixedDelay(1_000_000, Duration.ZERO);

    private final Weir weir;
    private final Job job;

    private CommitJob(final Weir weir, final Job job) {
        this.weir = weir;
        this.job = job;
    }

    static CommitJob start(final PacedLog input, final Path folder, final long intervalMs) {
        Failing.reset();
        final Weir weir = Weir.launch(new Weir.Context()
                .workers(1)
                .restartStrategy(RESTARTS)
                .checkpoints(Checkpoints.every(Duration.ofMillis(intervalMs)).in(checkpoints(folder))));
        try {
            final Pipeline pipeline = Pipeline.named("commit");
            pipeline.read(input, Row.codec())
                    .uid("source")
                    .keyByLong(Row::key)
                    .process(new Failing())
                    .uid("count")
                    .codec(Row.codec())
                    .write(ChronicleQueueLog.at(output(folder)), Row.codec(), Delivery.EXACTLY_ONCE)
                    .uid("sink");
            return new CommitJob(weir, weir.run(pipeline));
        } catch (final RuntimeException e) {
            weir.close();
            throw e;
        }
    }

    static Path checkpoints(final Path folder) {
        return folder.resolve("checkpoints");
    }

    static Path output(final Path folder) {
        return folder.resolve("output");
    }

    JobStatus status() {
        final JobStatus status = job.status();
        if (status.state().isTerminal()) {
            throw new IllegalStateException("the job ended too early: " + status);
        }
        return status;
    }

    @Override
    public void close() {
        job.cancel();
        job.join();
        weir.close();
    }

    /** Counts, and throws once for each record that it was told of. */
    static final class Failing implements KeyedProcessFunction<Long, Row, Row> {
        private static final long serialVersionUID = 1L;
        private static final long NEVER = Long.MAX_VALUE;
        private static final AtomicInteger FAILURES = new AtomicInteger();

        private static volatile long failAtId = NEVER;
        private static volatile long failedAtNs;

        private transient LongState count;
        private transient Row counted;

        private static void reset() {
            failAtId = NEVER;
            FAILURES.set(0);
        }

        /** Throws at a record, or the first behind it that comes. */
        static void failAt(final long id) {
            failAtId = id;
        }

        static int failures() {
            return FAILURES.get();
        }

        /** The moment of the last failure. */
        static long failedAtNs() {
            return failedAtNs;
        }

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
            counted = new Row();
            counted.allocate(Row.LENGTH);
        }

        @Override
        public void process(final Row row, final KeyedProcessContext<Long> context, final Collector<Row> out)
                throws Exception {
            if (row.id() >= failAtId) {
                fail(row.id());
            }
            final long next = count.get(0) + 1;
            count.set(next);
            counted.set(row, next);
            out.collect(counted);
        }

        /** The task's thread is the only writer while a failure is planned. */
        private static void fail(final long id) {
            failAtId = NEVER;
            failedAtNs = System.nanoTime();
            FAILURES.incrementAndGet();
            throw new IllegalStateException("planned failure at record " + id);
        }
    }

    /** How long a wait for what must come may last. */
    static long deadlineNs() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    }
}
