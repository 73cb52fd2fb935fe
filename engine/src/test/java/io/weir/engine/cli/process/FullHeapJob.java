package io.weir.engine.cli.process;

import io.weir.engine.Job;
import io.weir.engine.JobFailedException;
import io.weir.engine.Weir;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.RestartStrategy;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process with a job whose function keeps more and more until the heap is full. */
final class FullHeapJob {
    static final int AS_EXPECTED = 3;
    static final int OTHERWISE = 4;

    private FullHeapJob() {}

    /** Ends with {@link #AS_EXPECTED} if the job has failed for good and another one runs in its place. */
    public static void main(final String[] args) {
        try (Weir weir =
                Weir.launch(new Weir.Context().restartStrategy(RestartStrategy.fixedDelay(2, Duration.ofMillis(1))))) {
            final MemoryLog input = MemoryLog.bounded(1);
            input.add(0, new byte[Long.BYTES]);
            final Pipeline greedy = Pipeline.named("greedy");
            greedy.read(input, Codecs.longs())
                    .process(new Greedy())
                    .codec(Codecs.longs())
                    .write(MemoryLog.unbounded(1), Codecs.longs(), Delivery.EXACTLY_ONCE);
            final Job job = weir.run(greedy);
            try {
                job.join();
            } catch (final JobFailedException e) {
                System.out.println("failed: " + e.getMessage());
            }
            System.out.println("restarts: " + job.status().restartCount());
            final MemoryLog output = MemoryLog.unbounded(1);
            final Pipeline modest = Pipeline.named("modest");
            modest.read(input, Codecs.longs()).write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
            System.out.println("modest: " + weir.run(modest).join() + ' '
                    + output.records(0).size());
            System.exit(AS_EXPECTED);
        } catch (final RuntimeException e) {
            e.printStackTrace(System.out);
            System.exit(OTHERWISE);
        }
    }

    /** Keeps what it makes in small pieces, so that nothing else has room either. */
    private static final class Greedy implements ProcessFunction<Long, Long> {
        private static final long serialVersionUID = 1L;
        private static final int BYTES = 1 << 10;

        /** The heap stays full until the attempt is closed. */
        private transient List<byte[]> kept;

        @Override
        public void open() {
            kept = new ArrayList<>();
        }

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out) {
            while (true) {
                kept.add(new byte[BYTES]);
            }
        }
    }
}
