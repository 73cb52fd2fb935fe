package io.weir.engine.cli.process;

import io.weir.engine.Job;
import io.weir.engine.Weir;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.Pipeline;
import io.weir.engine.status.JobState;
import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.log.MemoryLog;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A keyed count whose results pass a slow operator, so that all channels before it are full. Its channels are short, so that
 * what is in flight is some thousand records.
 */
final class SlowJob {
    static final int KEYS = 37;
    static final int PARTITIONS = 3;

    private static final long INTERVAL_MS = 10;
    private static final int WORKERS = 2;
    private static final String PADDING = "-".repeat(40);
    private static final int FINISHED = 0;
    private static final int FAILED = 1;

    private SlowJob() {}

    /**
     * Runs, and says which checkpoint it goes on from.
     *
     * @param args folder; number of values; parallelism; alignment timeout in milliseconds; how long the operator works on a record,
     *     in nanoseconds: with 0 the input has an end, else the job waits for more for ever.
     */
    public static void main(final String[] args) throws InterruptedException {
        final Path folder = Path.of(args[0]);
        final int values = Integer.parseInt(args[1]);
        final int parallelism = Integer.parseInt(args[2]);
        final Duration timeout = Duration.ofMillis(Long.parseLong(args[3]));
        final long workNs = Long.parseLong(args[4]);
        System.setProperty("weir.transport.data.term.length", "64k");
        System.setProperty("weir.transport.mtu.length", "4k");
        ChronicleQueueLog.registerShutdown();
        final Checkpoints checkpoints = Checkpoints.every(Duration.ofMillis(INTERVAL_MS))
                .unaligned(timeout)
                .in(checkpoints(folder));
        try (Weir weir = Weir.launch(new Weir.Context().workers(WORKERS).checkpoints(checkpoints))) {
            final Job job = weir.run(pipeline(input(values, workNs == 0), output(folder), parallelism, workNs));
            while (job.status().state() != JobState.RUNNING
                    && !job.status().state().isTerminal()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            System.out.println("slow: goes on from checkpoint " + job.status().restoredCheckpointId());
            final JobState end = job.join();
            if (!job.status().restarts().isEmpty()) {
                System.out.println("slow: failed in between: " + job.status().restarts());
            }
            System.exit(end == JobState.FINISHED && job.status().restarts().isEmpty() ? FINISHED : FAILED);
        }
    }

    static Path checkpoints(final Path folder) {
        return folder.resolve("checkpoints");
    }

    static ChronicleQueueLog output(final Path folder) {
        return ChronicleQueueLog.at(folder.resolve("output"));
    }

    /** What comes out for a key the n-th time. */
    static String result(final long key, final long n) {
        return key + ":" + n + PADDING;
    }

    /** The same in each life: value n has the key n modulo {@link #KEYS}, and lies in partition n modulo their number. */
    private static MemoryLog input(final int values, final boolean hasEnd) {
        final MemoryLog log = hasEnd ? MemoryLog.bounded(PARTITIONS) : MemoryLog.unbounded(PARTITIONS);
        final byte[] bytes = new byte[Long.BYTES];
        final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int value = 0; value < values; value++) {
            buffer.putLong(0, value);
            log.add(value % PARTITIONS, bytes);
        }
        return log;
    }

    private static Pipeline pipeline(
            final MemoryLog input, final ChronicleQueueLog output, final int parallelism, final long workNs) {
        final Pipeline pipeline = Pipeline.named("slow").parallelism(parallelism);
        pipeline.read(input, Codecs.longs())
                .keyByLong(value -> value % KEYS)
                .process(new Count())
                .codec(Codecs.strings())
                .keyBy(text -> text)
                .process((String text, KeyedProcessContext<String> context, Collector<String> out) -> {
                    work(workNs);
                    out.collect(text);
                })
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private static void work(final long ns) {
        if (ns > 0) {
            final long deadlineNs = System.nanoTime() + ns;
            while (System.nanoTime() - deadlineNs < 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Counts the values of each key. */
    private static final class Count implements KeyedProcessFunction<Long, Long, String> {
        private static final long serialVersionUID = 1L;

        private transient LongState count;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<String> out)
                throws Exception {
            count.set(count.get(0) + 1);
            out.collect(result(context.longKey(), count.get(0)));
        }
    }
}
