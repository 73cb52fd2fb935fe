package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.OutputTag;
import io.weir.engine.harness.Emission;
import io.weir.engine.harness.OperatorHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class StatelessOperatorsTest {
    private static final OutputTag<String> SIDE = OutputTag.of("side", Codecs.strings());

    @Test
    void shouldMapAndInheritTheTimes() throws Exception {
        assertEquals(
                List.of(new Emission("1", 10, 5), new Emission("2", 20, 15)),
                run(() -> new MapOperator<>((Long value) -> Long.toString(value)))
                        .output()
                        .records());
    }

    @Test
    void shouldFilterAndInheritTheTimes() throws Exception {
        assertEquals(
                List.of(new Emission(2L, 20, 15)),
                run(() -> new FilterOperator<>((Long value) -> value > 1))
                        .output()
                        .records());
    }

    @Test
    void shouldFlatMapAndInheritTheTimes() throws Exception {
        final OperatorHarness<Long> harness = run(() -> new FlatMapOperator<Long, String>((value, out) -> {
            for (int i = 1; i < value; i++) {
                out.collect("a" + i);
                out.collect("b" + i);
            }
        }));

        assertEquals(
                List.of(new Emission("a1", 20, 15), new Emission("b1", 20, 15)),
                harness.output().records());
    }

    @Test
    void shouldProcessWithSightOfTimeAndSideOutputs() throws Exception {
        final OperatorHarness<Long> harness = run(() -> new ProcessOperator<Long, String>((value, context, out) -> {
            out.collect(value + "@" + context.timestampNs() + " behind " + context.watermarkNs());
            context.sideOutput(SIDE, "side" + value);
        }));

        assertEquals(
                List.of("1@10 behind " + Long.MIN_VALUE, "2@20 behind 12"),
                harness.output().values());
        assertEquals(
                List.of(new Emission("side1", 10, 5), new Emission("side2", 20, 15)),
                harness.sideOutput("side").records());
    }

    @Test
    void shouldKeepTheFirstOfEachKey() throws Exception {
        final OperatorHarness<Long> harness = new OperatorHarness<Long>(
                        () -> new DistinctOperator<>(KeyExtractors.byLong(value -> value % 3)))
                .restoringAlways();
        try (harness) {
            harness.open();
            for (long i = 0; i < 10; i++) {
                harness.receive(i, i, i - 1);
            }

            assertEquals(
                    List.of(new Emission(0L, 0, -1), new Emission(1L, 1, 0), new Emission(2L, 2, 1)),
                    harness.output().records());
            assertEquals(7, harness.count("duplicates"));
        }
    }

    @Test
    void shouldSendRecordsToTheirOutputsAndWatermarksToAll() throws Exception {
        final List<String> seen = new ArrayList<>();
        final Outputs outputs = new Outputs();
        outputs.add(null, receiver("main1", seen));
        outputs.add(null, receiver("main2", seen));
        outputs.add(SIDE, receiver("side", seen));
        outputs.add(OutputTag.of("other", Codecs.strings()), receiver("other", seen));

        outputs.main().receive("x", 1, 0);
        outputs.side(SIDE).receive("y", 1, 0);
        outputs.side(OutputTag.of("nobody", Codecs.strings())).receive("z", 1, 0);
        outputs.main().watermark(7);
        outputs.main().idle();

        assertEquals(
                List.of(
                        "main1 x",
                        "main2 x",
                        "side y",
                        "main1 7",
                        "main2 7",
                        "side 7",
                        "other 7",
                        "main1 idle",
                        "main2 idle",
                        "side idle",
                        "other idle"),
                seen);
    }

    @Test
    void shouldGoStraightToASingleTarget() {
        final Receiver<String> target = receiver("only", new ArrayList<>());
        final Outputs outputs = new Outputs();
        outputs.add(null, target);

        assertSame(target, outputs.main());
    }

    private static OperatorHarness<Long> run(final Supplier<Operator<Long>> operator) throws Exception {
        final OperatorHarness<Long> harness = new OperatorHarness<>(operator);
        try (harness) {
            harness.open();
            harness.receive(1L, 10, 5);
            harness.watermark(12);
            harness.receive(2L, 20, 15);
            harness.idle();
        }
        assertEquals(List.of(12L), harness.output().watermarks());
        assertEquals(1, harness.output().idles());
        return harness;
    }

    private static Receiver<String> receiver(final String name, final List<String> seen) {
        return new Receiver<>() {
            @Override
            public void receive(final String value, final long timestampNs, final long sourceWatermarkNs) {
                seen.add(name + ' ' + value);
            }

            @Override
            public void watermark(final long watermarkNs) {
                seen.add(name + ' ' + watermarkNs);
            }

            @Override
            public void idle() {
                seen.add(name + " idle");
            }
        };
    }
}
