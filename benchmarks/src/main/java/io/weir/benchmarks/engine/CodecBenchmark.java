package io.weir.benchmarks.engine;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Flyweight;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to write a trade and to read it: a Java record with a text, one of numbers only, a flyweight. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"})
public class CodecBenchmark {
    private final Codec<TextTrade> textCodec = Codec.ofRecord(TextTrade.class);
    private final Codec<NumberTrade> numberCodec = Codec.ofRecord(NumberTrade.class);
    private final Codec<FlyweightTrade> flyweightCodec = Codecs.flyweight(
            "Trade(symbol:long,timestampMs:long,price:long,quantity:long)", FlyweightTrade.LENGTH, FlyweightTrade::new);
    private final ExpandableArrayBuffer text = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer number = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer flyweight = new ExpandableArrayBuffer();
    private final TextTrade textTrade = new TextTrade("BTC/USD", 1_700_000_000_000L, 37_123_45, 250);
    private final NumberTrade numberTrade = new NumberTrade(7, 1_700_000_000_000L, 37_123_45, 250);
    private int textLength;
    private int numberLength;
    private FlyweightTrade flyweightTrade;

    /** Writes what is read. */
    @Setup
    public void encode() {
        textLength = textCodec.encode(textTrade, text, 0);
        numberLength = numberCodec.encode(numberTrade, number, 0);
        numberCodec.encode(numberTrade, flyweight, 0);
        flyweightTrade = flyweightCodec.forTask().decode(number, 0, FlyweightTrade.LENGTH);
    }

    /**
     * Writes a record with a text.
     *
     * @return its length.
     */
    @Benchmark
    public int encodeText() {
        return textCodec.encode(textTrade, text, 0);
    }

    /**
     * Reads a record with a text.
     *
     * @return the record.
     */
    @Benchmark
    public Object decodeText() {
        return textCodec.decode(text, 0, textLength);
    }

    /**
     * Writes a record of numbers.
     *
     * @return its length.
     */
    @Benchmark
    public int encodeNumbers() {
        return numberCodec.encode(numberTrade, number, 0);
    }

    /**
     * Reads a record of numbers.
     *
     * @return the record.
     */
    @Benchmark
    public Object decodeNumbers() {
        return numberCodec.decode(number, 0, numberLength);
    }

    /**
     * Copies a flyweight's bytes.
     *
     * @return their length.
     */
    @Benchmark
    public int encodeFlyweight() {
        return flyweightCodec.encode(flyweightTrade, flyweight, 0);
    }

    /**
     * Wraps a flyweight and reads all its numbers.
     *
     * @return their sum.
     */
    @Benchmark
    public long decodeFlyweight() {
        return flyweightCodec.decode(flyweight, 0, FlyweightTrade.LENGTH).sum();
    }

    /** With a text. */
    record TextTrade(String symbol, long timestampMs, long price, long quantity) {}

    /** Numbers only. */
    record NumberTrade(long symbol, long timestampMs, long price, long quantity) {}

    /** A view over the same numbers. */
    static final class FlyweightTrade extends Flyweight {
        static final int LENGTH = 4 * Long.BYTES;

        long sum() {
            return getLong(0) + getLong(Long.BYTES) + getLong(2 * Long.BYTES) + getLong(3 * Long.BYTES);
        }
    }
}
