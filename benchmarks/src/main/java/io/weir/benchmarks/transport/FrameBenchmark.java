package io.weir.benchmarks.transport;

import io.weir.transport.frame.RecordFlyweight;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to put a record of 64 bytes into a batch, and to walk over it with the checks a receiver makes; no Aeron. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"})
public class FrameBenchmark {
    private static final int RECORDS = 64;
    private static final int LENGTH = RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, Lane.VALUE_LENGTH);

    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Lane.VALUE_LENGTH]);
    private final UnsafeBuffer batch = new UnsafeBuffer(new byte[RECORDS * LENGTH]);

    /** Writes a batch to be walked over. */
    @Setup
    public void fill() {
        write();
    }

    /**
     * Fills a batch.
     *
     * @return it.
     */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public UnsafeBuffer write() {
        for (int i = 0; i < RECORDS; i++) {
            final int offset = i * LENGTH;
            batch.putBytes(offset + RecordFlyweight.HEADER_LENGTH, value, 0, Lane.VALUE_LENGTH);
            RecordFlyweight.putHeader(batch, offset, i, Long.MIN_VALUE, Lane.VALUE_LENGTH);
        }
        return batch;
    }

    /**
     * Walks over a batch.
     *
     * @return something of each record.
     */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long walk() {
        long sum = 0;
        for (int offset = 0; offset < batch.capacity(); ) {
            final String fault = RecordFlyweight.fault(batch, offset, batch.capacity() - offset);
            if (fault != null) {
                throw new IllegalStateException(fault);
            }
            sum += RecordFlyweight.timestampNs(batch, offset) + batch.getLong(offset + RecordFlyweight.HEADER_LENGTH);
            offset +=
                    RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, RecordFlyweight.length(batch, offset));
        }
        return sum;
    }
}
