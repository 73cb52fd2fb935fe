package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.api.ValueState;
import io.weir.engine.harness.Emission;
import io.weir.engine.harness.OperatorHarness;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeyedProcessOperatorTest {
    private static final long NONE = Long.MIN_VALUE;

    record Command(String key, String verb, long number) {}

    /** Does as it is told. */
    static final class Interpreter implements KeyedProcessFunction<String, Command, String> {
        static final OutputTag<String> SIDE = OutputTag.of("side", Codecs.strings());
        private static final long serialVersionUID = 1L;
        private transient LongState sum;
        private transient ValueState<Command> last;
        private transient ListState<Long> numbers;

        @Override
        public void open(final KeyedStates states) {
            sum = states.longState("sum");
            last = states.valueState("last", Codec.ofRecord(Command.class));
            numbers = states.listState("numbers", Codecs.longs());
        }

        @Override
        public void process(
                final Command command, final KeyedProcessContext<String> context, final Collector<String> out)
                throws Exception {
            switch (command.verb()) {
                case "add" -> {
                    sum.set(sum.get(0) + command.number());
                    numbers.add(command.number());
                    last.update(command);
                }
                case "show" -> out.collect(show(context));
                case "clear" -> {
                    sum.clear();
                    numbers.clear();
                    last.clear();
                }
                case "timer" -> context.setEventTimer(command.number());
                case "cancel" -> context.cancelEventTimer(command.number());
                case "alarm" -> context.setProcessingTimer(command.number());
                case "calm" -> context.cancelProcessingTimer(command.number());
                case "side" -> context.sideOutput(SIDE, context.key() + context.timestampNs());
                default -> context.longKey();
            }
        }

        private String show(final KeyedProcessContext<String> context) {
            final StringBuilder list = new StringBuilder();
            for (int i = 0; i < numbers.size(); i++) {
                list.append(numbers.get(i)).append(' ');
            }
            return context.key() + '=' + sum.get(0) + " last="
                    + (last.value() == null ? "none" : last.value().number()) + " list="
                    + list.toString().trim();
        }

        @Override
        public void onTimer(
                final long timeNs,
                final TimeDomain domain,
                final KeyedProcessContext<String> context,
                final Collector<String> out)
                throws Exception {
            out.collect((domain == TimeDomain.EVENT_TIME ? "timer " : "alarm ") + timeNs + ' ' + show(context) + " at "
                    + context.watermarkNs());
        }
    }

    private final OperatorHarness<Command> harness = new OperatorHarness<Command>(() -> new KeyedProcessOperator<>(
                    KeyExtractors.byObject(Command::key, Codecs.strings()), new Interpreter()))
            .restoringAlways()
            .slots(1);

    @Test
    void shouldKeepStateByKeyOverRestores() throws Exception {
        try (harness) {
            harness.open();
            tell("a", "add", 1);
            tell("b", "add", 10);
            tell("a", "add", 2);
            tell("a", "show", 0);
            tell("b", "show", 0);
            tell("a", "clear", 0);
            tell("a", "show", 0);
            tell("b", "clear", 0);

            assertEquals(
                    List.of("a=3 last=2 list=1 2", "b=10 last=10 list=10", "a=0 last=none list="),
                    harness.output().values());
            assertEquals(0, harness.entryCount());
        }
    }

    @Test
    void shouldFireEventTimersInOrderOfTimeThenKeyWithTheStateOfTheirKey() throws Exception {
        try (harness) {
            harness.open();
            tell("b", "add", 7);
            for (final String key : List.of("c", "b", "a")) {
                tell(key, "timer", 20);
            }
            tell("c", "timer", 10);
            tell("c", "timer", 10);
            tell("c", "timer", 30);
            tell("a", "cancel", 20);

            harness.watermark(25);

            assertEquals(
                    List.of(
                            new Emission("timer 10 c=0 last=none list= at 25", 10, NONE),
                            new Emission("timer 20 b=7 last=7 list=7 at 25", 20, NONE),
                            new Emission("timer 20 c=0 last=none list= at 25", 20, NONE)),
                    harness.output().records());
            assertEquals(25, harness.output().watermark());
        }
    }

    @Test
    void shouldFireWhatIsLeftAtTheEndOfAllData() throws Exception {
        try (harness) {
            harness.open();
            tell("a", "timer", Long.MAX_VALUE - 1);

            harness.watermark(Long.MAX_VALUE);

            assertEquals(1, harness.output().records().size());
            assertThrows(IllegalArgumentException.class, () -> tell("a", "timer", Long.MAX_VALUE));
        }
    }

    @Test
    void shouldFireProcessingTimersByTheClock() throws Exception {
        try (harness) {
            harness.open();
            tell("b", "alarm", 100);
            tell("a", "alarm", 100);
            tell("a", "alarm", 50);
            tell("a", "alarm", 60);
            tell("a", "calm", 60);
            harness.watermark(Long.MAX_VALUE);
            assertEquals(List.of(), harness.output().values());

            harness.processingTime(99);
            assertEquals(1, harness.output().values().size());
            harness.processingTime(100);

            assertEquals(3, harness.output().values().size());
            assertEquals(NONE, harness.output().records().get(0).timestampNs());
            assertTrue(harness.output().values().get(1).toString().startsWith("alarm 100 a"));
        }
    }

    @Test
    void shouldEmitToSideOutputsWithTheTimeOfTheRecord() throws Exception {
        try (harness) {
            harness.open();

            harness.receive(new Command("a", "side", 0), 5, 3);

            assertEquals(
                    List.of(new Emission("a5", 5, 3)),
                    harness.sideOutput("side").records());
        }
    }

    @Test
    void shouldSayThatAKeyIsNoNumber() throws Exception {
        try (harness) {
            harness.open();

            final IllegalStateException e = assertThrows(IllegalStateException.class, () -> tell("a", "long", 0));

            assertEquals("the key of operator op is no long but string", e.getMessage());
        }
    }

    @Test
    void shouldRefuseToGiveOneStateTwice() {
        final KeyedProcessFunction<String, Command, String> greedy = new KeyedProcessFunction<>() {
            private static final long serialVersionUID = 1L;

            @Override
            public void open(final KeyedStates states) {
                states.longState("sum");
                states.longState("sum");
            }

            @Override
            public void process(
                    final Command value, final KeyedProcessContext<String> context, final Collector<String> out) {
                throw new AssertionError("not opened");
            }
        };
        final OperatorHarness<Command> refused = new OperatorHarness<>(
                () -> new KeyedProcessOperator<>(KeyExtractors.byObject(Command::key, Codecs.strings()), greedy));

        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, refused::open);

        assertTrue(e.getMessage().startsWith("operator op asks for state 'sum' twice"), e.getMessage());
    }

    @Test
    void shouldRefuseANullKey() throws Exception {
        try (harness) {
            harness.open();

            assertThrows(IllegalArgumentException.class, () -> tell(null, "show", 0));
        }
    }

    private void tell(final String key, final String verb, final long number) throws Exception {
        harness.receive(new Command(key, verb, number), NONE, NONE);
    }
}
