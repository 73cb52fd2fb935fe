package io.weir.benchmarks.engine;

import io.weir.engine.Job;
import io.weir.engine.Weir;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Flyweight;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.Pipeline;
import io.weir.engine.status.CheckpointStatus;
import io.weir.engine.status.TaskCheckpoint;
import io.weir.transport.aeron.AeronContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A source, a full channel, and a task whose operator is slow, each on a worker of its own. One thread; one job at a time. */
final class BackPressuredJob implements AutoCloseable {
    private static final int KEYS = 1_000;
    private static final int WORKERS = 2;
    private static final long WAIT_NS = 50_000;
    private static final long DEADLINE_NS = TimeUnit.MINUTES.toNanos(2);
    private static final String SOURCE = "source";
    private static final int SLOW_TASK = 1;

    /** Of what a channel can hold, the rest of a batch and what frames cost are not filled with records. */
    private static final double FULL = 0.7;

    private final Weir weir;
    private final Job job;
    private final long fullRecords;

    private BackPressuredJob(final Weir weir, final Job job, final long fullRecords) {
        this.weir = weir;
        this.job = job;
        this.fullRecords = fullRecords;
    }

    static BackPressuredJob start(
            final Checkpoints checkpoints, final int workUs, final int inFlightKib, final int recordLength) {
        SlowOperator.PROCESSED.set(0);
        final GeneratedLog input = new GeneratedLog(KEYS, recordLength);
        input.release(Long.MAX_VALUE / 2);
        final Codec<Event> codec =
                Codecs.flyweight("Event(key:long,length:" + recordLength + ")", recordLength, Event::new);
        final Pipeline pipeline = Pipeline.named("back-pressured");
        pipeline.read(input, codec)
                .uid(SOURCE)
                .keyByLong(Event::key)
                .process(new SlowOperator(TimeUnit.MICROSECONDS.toNanos(workUs)))
                .uid("slow")
                .codec(codec)
                .write(new CountingLog(), codec, Delivery.EXACTLY_ONCE);
        final Weir weir =
                launch(new Weir.Context().workers(WORKERS).checkpoints(checkpoints), Integer.toString(inFlightKib * 2));
        try {
            return new BackPressuredJob(
                    weir, weir.run(pipeline), (long) (FULL * inFlightKib * 1024 / (recordLength + 16)));
        } catch (final RuntimeException e) {
            weir.close();
            throw e;
        }
    }

    /** Half a term can be in flight. */
    private static Weir launch(final Weir.Context context, final String termKib) {
        final String before = System.getProperty(AeronContext.DATA_TERM_LENGTH_PROPERTY);
        System.setProperty(AeronContext.DATA_TERM_LENGTH_PROPERTY, termKib + "k");
        try {
            return Weir.launch(context);
        } finally {
            if (before == null) {
                System.clearProperty(AeronContext.DATA_TERM_LENGTH_PROPERTY);
            } else {
                System.setProperty(AeronContext.DATA_TERM_LENGTH_PROPERTY, before);
            }
        }
    }

    void awaitFullChannel() {
        await(() -> job.status().counters().getOrDefault(SOURCE + "/records", 0L) - SlowOperator.PROCESSED.get()
                > fullRecords);
    }

    /** Takes one checkpoint and waits until it is stored. */
    CheckpointCosts.Cost checkpoint() {
        final long durationBefore = totalNs(job.status().checkpoints());
        final CompletableFuture<Long> taken = job.triggerCheckpoint();
        await(taken::isDone);
        final CheckpointStatus status = job.status().checkpoints();
        final TaskCheckpoint slow = status.lastTasks().get(SLOW_TASK);
        return new CheckpointCosts.Cost(
                totalNs(status) - durationBefore,
                status.lastBytes(),
                slow.bytesPersisted(),
                slow.startDelayNs(),
                slow.syncNs() + slow.channelStateNs());
    }

    private static long totalNs(final CheckpointStatus status) {
        return Math.round(status.durationNs().getMean() * status.durationNs().getTotalCount());
    }

    private void await(final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean()) {
            if (job.status().state().isTerminal()
                    || job.status().checkpoints().aborted() > 0
                    || System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException("nothing comes of it: " + job.status());
            }
            LockSupport.parkNanos(WAIT_NS);
        }
    }

    @Override
    public void close() {
        job.cancel();
        job.join();
        weir.close();
    }

    /** Takes its time for each event. */
    private static final class SlowOperator implements KeyedProcessFunction<Long, Event, Event> {
        private static final long serialVersionUID = 1L;
        private static final AtomicLong PROCESSED = new AtomicLong();

        private final long workNs;

        SlowOperator(final long workNs) {
            this.workNs = workNs;
        }

        @Override
        public void process(final Event event, final KeyedProcessContext<Long> context, final Collector<Event> out)
                throws Exception {
            final long deadlineNs = System.nanoTime() + workNs;
            while (System.nanoTime() - deadlineNs < 0) {
                Thread.onSpinWait();
            }
            PROCESSED.setRelease(PROCESSED.getPlain() + 1);
            out.collect(event);
        }
    }

    /** One event. */
    private static final class Event extends Flyweight {
        long key() {
            return getLong(0);
        }
    }
}
