package io.weir.engine.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class PipelineTest {
    private final Pipeline pipeline = Pipeline.named("job");

    @Test
    void shouldCheckWhatItIsGiven() {
        final Stream<Long> longs = longs();

        refuses("pipeline name 'a/b'", () -> Pipeline.named("a/b"));
        refuses("parallelism=0", () -> pipeline.parallelism(0));
        refuses("maxParallelism=40000 must be in [1, 32768]", () -> pipeline.maxParallelism(40_000));
        refuses("uid 'a b'", () -> longs.uid("a b"));
        refuses("the name of an operator", () -> longs.name(" "));
        refuses("parallelism=0 of operator 'read'", () -> longs.parallelism(0));
        refuses("bound=PT-1S must not be negative", () -> longs.eventTime(value -> value, Duration.ofSeconds(-1)));
        refuses(
                "idleness=PT-1S must not be negative",
                () -> longs.eventTime(value -> value, TimeUnit.NANOSECONDS, Duration.ZERO, Duration.ofSeconds(-1)));
        refuses("window sizeNs=0 must be > 0", () -> Tumbling.of(Duration.ZERO));
        refuses("window offsetNs=5 must be in [0, sizeNs=5)", () -> new Tumbling(5, 5));
    }

    @Test
    void shouldKeepStreamsOfTwoPipelinesApart() {
        final Stream<Long> foreign = Pipeline.named("other").read(MemoryLog.bounded(1), Codecs.longs());

        refuses("one is of 'job' and one of 'other'", () -> longs().union(foreign));
    }

    @Test
    void shouldRefuseSettingsOfWhatIsNoOperator() {
        final Stream<Long> union = longs().union(longs());

        final IllegalStateException e = assertThrows(IllegalStateException.class, () -> union.uid("u"));

        assertEquals("uid belongs to an operator: a union or a side output is none", e.getMessage());
    }

    @Test
    void shouldAlignWindowsToZeroPlusTheOffset() {
        final Tumbling plain = new Tumbling(10, 0);
        final Tumbling shifted = new Tumbling(10, 3);

        assertEquals(0, plain.startOf(0));
        assertEquals(0, plain.startOf(9));
        assertEquals(10, plain.startOf(10));
        assertEquals(-10, plain.startOf(-1));
        assertEquals(-7, shifted.startOf(2));
        assertEquals(3, shifted.startOf(3));
        assertEquals(3, shifted.startOf(12));
        assertEquals(-1, new TimeWindow(-1, 1_000_000).startMs());
        assertEquals(1, new TimeWindow(-1, 1_000_000).endMs());
    }

    @Test
    void shouldCheckBroadcastStatesAndWhereTheyAreConnected() {
        final BroadcastStateDescriptor<Long, Long> state =
                BroadcastStateDescriptor.of("rules", Codecs.longs(), Codecs.longs());
        final Stream<Long> longs = longs();
        final BroadcastStream<Long> ofOther = Pipeline.named("other")
                .read(MemoryLog.bounded(1), Codecs.longs())
                .broadcast(state);

        refuses("broadcast state 'a/b'", () -> BroadcastStateDescriptor.of("a/b", Codecs.longs(), Codecs.longs()));
        refuses("broadcast needs the descriptor of a state", longs::broadcast);
        refuses("broadcast is given state 'rules' twice", () -> longs.broadcast(state, state));
        refuses("one is of 'job' and one of 'other'", () -> longs.connect(ofOther));
        refuses(
                "one is of 'job' and one of 'other'",
                () -> longs.keyByLong(value -> value).connect(ofOther));
    }

    @Test
    void shouldPrintItself() {
        longs();

        assertEquals("Pipeline{name=job, parallelism=1, maxParallelism=128, steps=1}", pipeline.toString());
    }

    private Stream<Long> longs() {
        return pipeline.read(MemoryLog.bounded(1), Codecs.longs());
    }

    private static void refuses(final String message, final Executable call) {
        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }
}
