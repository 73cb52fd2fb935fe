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
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.Pipeline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A keyed count over flyweights on a real engine: source, event time and filter in one task, Aeron, keyed state and sink in
 * another. One operation is one record from the log to the sink. With {@code -prof gc} the figure {@code gc.alloc.rate.norm} is
 * the bytes that the whole JVM allocates per record; no checkpoint runs meanwhile.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"})
public class FlyweightPipelineBenchmark {
    private static final int RECORDS = 100_000;
    private static final long WAIT_NS = 50_000;
    private static final int MAX_WAITS = 200_000;

    /** Distinct keys. */
    @Param({"10000"})
    public int keys;

    /** Worker threads that the two tasks run on. */
    @Param({"1", "2"})
    public int workers;

    private final CountingLog output = new CountingLog();
    private GeneratedLog input;
    private Weir weir;
    private Job job;
    private long expected;

    /** Starts engine and job. */
    @Setup(Level.Trial)
    public void start() {
        input = new GeneratedLog(keys);
        weir = Weir.launch(new Weir.Context()
                .workers(workers)
                .checkpoints(Checkpoints.every(Duration.ofDays(1)).inMemory()));
        final Codec<Event> codec =
                Codecs.flyweight("Event(key:long,value:long,timestampNs:long)", GeneratedLog.RECORD_LENGTH, Event::new);
        final Pipeline pipeline = Pipeline.named("flyweight");
        pipeline.read(input, codec)
                .eventTime(Event::timestampNs, TimeUnit.NANOSECONDS, Duration.ZERO)
                .filter(event -> event.value() >= 0)
                .keyByLong(Event::key)
                .process(new Count())
                .codec(codec)
                .write(output, codec, Delivery.EXACTLY_ONCE);
        job = weir.run(pipeline);
    }

    /** Ends them. */
    @TearDown(Level.Trial)
    public void stop() {
        job.cancel();
        job.join();
        weir.close();
    }

    /** Lets a run of records through, and waits until the last has reached the sink. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void count() {
        expected += RECORDS;
        input.release(RECORDS);
        for (int waited = 0; output.appended() < expected; waited++) {
            if (waited == MAX_WAITS) {
                throw new IllegalStateException("nothing moves any more: " + job.status());
            }
            LockSupport.parkNanos(WAIT_NS);
        }
    }

    /** Counts the events of each key. */
    static final class Count implements KeyedProcessFunction<Long, Event, Event> {
        private static final long serialVersionUID = 1L;

        private transient LongState count;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
        }

        @Override
        public void process(final Event event, final KeyedProcessContext<Long> context, final Collector<Event> out)
                throws Exception {
            count.set(count.get(0) + 1);
            out.collect(event);
        }
    }

    /** One event. */
    static final class Event extends Flyweight {
        long key() {
            return getLong(0);
        }

        long value() {
            return getLong(Long.BYTES);
        }

        long timestampNs() {
            return getLong(2 * Long.BYTES);
        }
    }
}
