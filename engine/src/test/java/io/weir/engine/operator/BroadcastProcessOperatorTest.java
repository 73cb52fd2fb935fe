package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.ListState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.OutputTag;
import io.weir.engine.harness.Emission;
import io.weir.engine.harness.OperatorHarness;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BroadcastProcessOperatorTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final BroadcastStateDescriptor<Long, String> NAMES =
            BroadcastStateDescriptor.of("names", Codecs.longs(), Codecs.strings());
    private static final BroadcastStateDescriptor<String, Long> NUMBERS =
            BroadcastStateDescriptor.of("numbers", Codecs.strings(), Codecs.longs());

    /** Replaces numbers by their names, and counts its records in a list. */
    static final class Naming implements BroadcastProcessFunction<Long, String, String>, CheckpointedFunction {
        static final OutputTag<String> SIDE = OutputTag.of("side", Codecs.strings());
        private static final long serialVersionUID = 1L;
        private transient ListState<Long> seen;

        @Override
        public void initialize(final OperatorStates states) {
            seen = states.list("seen", Codecs.longs());
        }

        @Override
        public void snapshot(final long checkpointId) {
            // The list is up to date.
        }

        @Override
        public void processElement(final Long value, final ReadOnlyContext context, final Collector<String> out)
                throws Exception {
            seen.add(value);
            out.collect(context.broadcastState(NAMES).get(value) + ' ' + seen.size() + " at " + context.watermarkNs());
        }

        @Override
        public void processBroadcastElement(final String name, final Context context, final Collector<String> out)
                throws Exception {
            final long number = context.broadcastState(NUMBERS).size();
            context.broadcastState(NUMBERS).put(name, number);
            context.broadcastState(NAMES).put(number, name);
            context.sideOutput(SIDE, name + context.nowNs());
        }
    }

    @Test
    void shouldKeepSeveralBroadcastStatesOverRestores() throws Exception {
        try (OperatorHarness<Long> harness =
                new OperatorHarness<>(() -> new BroadcastProcessOperator<>(new Naming(), List.of(NAMES, NUMBERS)))) {
            harness.restoringAlways().slots(1).at(7).open();
            harness.watermark(3);
            harness.receive(0L, 5, 4);
            harness.receiveSecond("zero", 6, NONE);
            harness.receiveSecond("one", 6, NONE);
            harness.receive(1L, NONE, NONE);
            harness.receive(0L, NONE, NONE);
            harness.idle();

            assertEquals(
                    List.of(
                            new Emission("null 1 at 3", 5, 4),
                            new Emission("one 2 at 3", NONE, NONE),
                            new Emission("zero 3 at 3", NONE, NONE)),
                    harness.output().records());
            assertEquals(
                    List.of(new Emission("zero7", 6, NONE), new Emission("one7", 6, NONE)),
                    harness.sideOutput("side").records());
            assertEquals(3, harness.output().watermark());
            assertEquals(1, harness.output().idles());
        }
    }
}
