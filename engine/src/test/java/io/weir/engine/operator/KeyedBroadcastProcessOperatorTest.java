package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongCell;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.StateTtl;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.api.ValueState;
import io.weir.engine.harness.Emission;
import io.weir.engine.harness.OperatorHarness;
import io.weir.storage.state.StateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Broadcast state beside state by key, against a model and rule by rule. */
final class KeyedBroadcastProcessOperatorTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final BroadcastStateDescriptor<String, Long> RULES =
            BroadcastStateDescriptor.of("rules", Codecs.strings(), Codecs.longs());
    private static final OutputTag<String> SIDE = OutputTag.of("side", Codecs.strings());

    record Command(String key, String verb, long number) {}

    record Rule(String verb, String name, long number) {}

    /** Does as it is told. */
    static final class Interpreter implements KeyedBroadcastProcessFunction<String, Command, Rule, String> {
        private static final long serialVersionUID = 1L;
        private transient LongState sum;
        private transient ValueState<String> last;
        private transient ListState<Long> numbers;
        private transient MapState<Long, Long> counts;
        private transient ReducingState<Long> most;
        private transient ValueState<Long> shortLived;
        private transient ListState<Long> shortLivedList;
        private transient MapState<Long, Long> shortLivedMap;

        @Override
        public void open(final KeyedStates states) {
            final StateTtl ttl = StateTtl.afterWrite(Duration.ofNanos(10));
            sum = states.longState("sum");
            last = states.valueState("last", Codecs.strings());
            numbers = states.listState("numbers", Codecs.longs());
            counts = states.mapState("counts", Codecs.longs(), Codecs.longs());
            most = states.reducingState("most", Math::max, Codecs.longs());
            shortLived = states.valueState("shortLived", Codecs.longs(), ttl);
            shortLivedList = states.listState("shortLivedList", Codecs.longs(), ttl);
            shortLivedMap = states.mapState("shortLivedMap", Codecs.longs(), Codecs.longs(), ttl);
        }

        @Override
        public void processElement(
                final Command command, final ReadOnlyContext<String> context, final Collector<String> out)
                throws Exception {
            switch (command.verb()) {
                case "add" -> {
                    final Long factor = context.broadcastState(RULES).get("factor");
                    final long number = command.number() * (factor == null ? 1 : factor);
                    sum.set(sum.get(0) + number);
                    last.update(context.key());
                    numbers.add(number);
                    counts.put(number, 1L);
                    most.add(number);
                    shortLived.update(number);
                    shortLivedList.add(number);
                    shortLivedMap.put(number, number);
                    out.collect(context.key() + '=' + sum.get(0));
                }
                case "clear" -> {
                    sum.clear();
                    last.clear();
                    numbers.clear();
                    counts.clear();
                    most.clear();
                }
                case "timer" -> context.setEventTimer(command.number());
                default ->
                    context.broadcastState(BroadcastStateDescriptor.of("rules", Codecs.strings(), Codecs.strings()));
            }
        }

        @Override
        public void processBroadcastElement(final Rule rule, final Context<String> context, final Collector<String> out)
                throws Exception {
            final BroadcastState<String, Long> rules = context.broadcastState(RULES);
            final Set<String> keys = new TreeSet<>();
            switch (rule.verb()) {
                case "put" -> rules.put(rule.name(), rule.number());
                case "remove" -> out.collect("removed " + rules.remove(rule.name()));
                case "clear" -> rules.clear();
                case "show" -> out.collect(show(rules));
                case "keyless" -> sum.get(0);
                case "keyless list" -> numbers.add(1L);
                case "keyless map" -> counts.put(1L, 1L);
                case "keyless value" -> last.update("x");
                case "strange" -> context.applyToKeyedState("no state", (key, state) -> {});
                case "scale" ->
                    context.applyToKeyedState(sum, (key, state) -> {
                        assertEquals(key, last.value());
                        state.set(state.get(0) * rule.number());
                        out.collect(key + '=' + state.get(0));
                    });
                case "drop" ->
                    context.applyToKeyedState(numbers, (key, state) -> {
                        if (sum.get(0) < rule.number()) {
                            sum.clear();
                            last.clear();
                            state.clear();
                            counts.clear();
                            most.clear();
                        }
                    });
                case "nested" -> {
                    context.applyToKeyedState(most, (key, state) -> {
                        context.applyToKeyedState(sum, (other, ignored) -> keys.add(key + other));
                        assertEquals(key, last.value());
                    });
                    out.collect(keys.toString());
                }
                case "keys" -> {
                    final Map<String, Object> states = new TreeMap<>(Map.of(
                            "counts", counts,
                            "last", last,
                            "most", most,
                            "numbers", numbers,
                            "shortLived", shortLived,
                            "shortLivedList", shortLivedList,
                            "shortLivedMap", shortLivedMap,
                            "sum", sum));
                    final StringBuilder text = new StringBuilder();
                    for (final Map.Entry<String, Object> state : states.entrySet()) {
                        keys.clear();
                        context.applyToKeyedState(state.getValue(), (key, ignored) -> assertTrue(keys.add(key)));
                        text.append(state.getKey()).append(keys);
                    }
                    out.collect(text.toString());
                }
                default -> {
                    context.sideOutput(SIDE, rule.name() + context.timestampNs() + '/' + context.nowNs());
                    out.collect("at " + context.watermarkNs());
                }
            }
        }

        private static String show(final BroadcastState<String, Long> rules) throws Exception {
            final Map<String, Long> shown = new TreeMap<>();
            rules.forEach(shown::put);
            assertEquals(rules.size(), shown.size());
            assertEquals(rules.isEmpty(), shown.isEmpty());
            return shown.toString();
        }

        @Override
        public void onTimer(
                final long timeNs,
                final TimeDomain domain,
                final ReadOnlyContext<String> context,
                final Collector<String> out)
                throws Exception {
            out.collect("timer " + context.key() + timeNs + ' '
                    + context.broadcastState(RULES).get("factor"));
        }
    }

    private final OperatorHarness<Command> harness = harness().restoringAlways().slots(1);

    private static OperatorHarness<Command> harness() {
        return new OperatorHarness<>(operators(RULES));
    }

    private static Supplier<Operator<Command>> operators(final BroadcastStateDescriptor<?, ?> state) {
        return () -> new KeyedBroadcastProcessOperator<>(
                KeyExtractors.byObject(Command::key, Codecs.strings()), new Interpreter(), List.of(state));
    }

    @Test
    void shouldDoAsTheModelOverRestores() throws Exception {
        for (long seed = 0; seed < 6; seed++) {
            final Random random = new Random(seed);
            final Map<String, Long> sums = new TreeMap<>();
            final Map<String, Long> rules = new TreeMap<>();
            // Restored after each step, or now and then.
            final boolean always = seed % 3 == 0;
            try (OperatorHarness<Command> modelled = always ? harness().restoringAlways() : harness()) {
                modelled.open();
                for (int step = 0; step < (always ? 150 : 3_000); step++) {
                    final List<String> expected = new ArrayList<>();
                    final int before = modelled.output().records().size();
                    final int choice = random.nextInt(100);
                    if (choice < 60) {
                        final String key = "k" + random.nextInt(700);
                        final long number = random.nextInt(5);
                        sums.merge(key, number * rules.getOrDefault("factor", 1L), Long::sum);
                        expected.add(key + '=' + sums.get(key));
                        modelled.receive(new Command(key, "add", number), NONE, NONE);
                    } else if (choice < 65) {
                        final String key = "k" + random.nextInt(700);
                        sums.remove(key);
                        modelled.receive(new Command(key, "clear", 0), NONE, NONE);
                    } else if (choice < 80) {
                        final String name = random.nextInt(4) == 0 ? "factor" : "r" + random.nextInt(20);
                        rules.put(name, (long) random.nextInt(3));
                        modelled.receiveSecond(new Rule("put", name, rules.get(name)), NONE, NONE);
                    } else if (choice < 88) {
                        final String name = random.nextInt(4) == 0 ? "factor" : "r" + random.nextInt(20);
                        expected.add("removed " + (rules.remove(name) != null));
                        modelled.receiveSecond(new Rule("remove", name, 0), NONE, NONE);
                    } else if (choice == 88) {
                        rules.clear();
                        modelled.receiveSecond(new Rule("clear", "", 0), NONE, NONE);
                    } else if (choice < 96) {
                        expected.add(rules.toString());
                        modelled.receiveSecond(new Rule("show", "", 0), NONE, NONE);
                    } else if (choice < 98) {
                        final long factor = random.nextInt(2) + 1L;
                        sums.replaceAll((key, sum) -> sum * factor);
                        sums.forEach((key, sum) -> expected.add(key + '=' + sum));
                        modelled.receiveSecond(new Rule("scale", "", factor), NONE, NONE);
                    } else if (choice == 98) {
                        sums.values().removeIf(sum -> sum < 6);
                        modelled.receiveSecond(new Rule("drop", "", 6), NONE, NONE);
                    } else {
                        modelled.restore();
                    }
                    final List<String> emitted = new ArrayList<>();
                    modelled.output()
                            .values()
                            .subList(before, modelled.output().values().size())
                            .forEach(value -> emitted.add((String) value));
                    emitted.sort(null);
                    expected.sort(null);
                    assertEquals(expected, emitted, "seed " + seed + ", step " + step);
                }
            }
        }
    }

    @Test
    void shouldVisitTheKeysThatAStateHasSomethingFor() throws Exception {
        try (harness) {
            harness.open();
            harness.at(100);
            add("a", 1);
            add("b", 2);
            add("c", 3);
            harness.receive(new Command("b", "clear", 0), NONE, NONE);
            tell("keys", 0);

            // when: what was written at 100 expires
            harness.at(105);
            add("d", 4);
            harness.at(112);
            tell("keys", 0);

            final String rest = "counts[a, c]last[a, c]most[a, c]numbers[a, c]";
            assertEquals(rest + "shortLived[a, b, c]shortLivedList[a, b, c]shortLivedMap[a, b, c]sum[a, c]", value(3));
            assertEquals(
                    rest.replace("c]", "c, d]") + "shortLived[d]shortLivedList[d]shortLivedMap[d]sum[a, c, d]",
                    value(5));
        }
    }

    @Test
    void shouldVisitKeysWithinAVisitAndGoOnWithTheFormerKey() throws Exception {
        try (harness) {
            harness.open();
            add("a", 1);
            add("b", 2);
            tell("nested", 0);

            assertEquals("[aa, ab, ba, bb]", value(2));
        }
    }

    @Test
    void shouldRefuseStateByKeyWhereThereIsNoKey() throws Exception {
        for (final String verb : List.of("keyless", "keyless list", "keyless map", "keyless value")) {
            try (OperatorHarness<Command> one = harness().open()) {
                one.receive(new Command("a", "add", 1), NONE, NONE);

                final IllegalStateException e = assertThrows(
                        IllegalStateException.class, () -> one.receiveSecond(new Rule(verb, "", 0), NONE, NONE), verb);

                assertTrue(e.getMessage().contains("no current key"), e.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseToVisitWhatIsNoStateOfTheFunction() throws Exception {
        try (harness) {
            harness.open();
            final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> tell("strange", 0));
            assertTrue(e.getMessage().contains("operator op takes a state by key"), e.getMessage());
        }
    }

    @Test
    void shouldShowBroadcastStateToTimers() throws Exception {
        try (harness) {
            harness.open();
            harness.receive(new Command("a", "timer", 10), NONE, NONE);
            harness.receive(new Command("b", "timer", 10), NONE, NONE);
            harness.receiveSecond(new Rule("put", "factor", 7), NONE, NONE);
            harness.watermark(10);

            assertEquals(List.of("timer a10 7", "timer b10 7"), harness.output().values());
            assertEquals(10, harness.output().watermark());
        }
    }

    @Test
    void shouldEmitWithTheTimeOfTheBroadcastRecord() throws Exception {
        try (harness) {
            harness.open();
            harness.watermark(5);
            harness.at(77);
            harness.receiveSecond(new Rule("time", "x", 0), 9, 3);
            harness.idle();

            assertEquals(List.of(new Emission("at 5", 9, 3)), harness.output().records());
            assertEquals(
                    List.of(new Emission("x9/77", 9, 3)),
                    harness.sideOutput("side").records());
            assertEquals(1, harness.output().idles());
        }
    }

    @Test
    void shouldGiveEachSubtaskItsOwnBroadcastStateOrThatOfOneThatThereWas() throws Exception {
        // given: states that differ, so that one can tell them apart
        final List<OperatorHarness.Snapshot> snapshots = new ArrayList<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            try (OperatorHarness<Command> one = harness().subtask(subtask, 2).open()) {
                one.receiveSecond(new Rule("put", "subtask", subtask), NONE, NONE);
                snapshots.add(one.snapshot());
            }
        }

        // then
        assertEquals(List.of("{subtask=0}"), restored(1, snapshots));
        assertEquals(List.of("{subtask=0}", "{subtask=1}"), restored(2, snapshots));
        assertEquals(List.of("{subtask=0}", "{subtask=1}", "{subtask=0}"), restored(3, snapshots));
    }

    private static List<String> restored(final int parallelism, final List<OperatorHarness.Snapshot> snapshots)
            throws Exception {
        final List<String> shown = new ArrayList<>();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            try (OperatorHarness<Command> one =
                    harness().subtask(subtask, parallelism).openAll(snapshots)) {
                one.receiveSecond(new Rule("show", "", 0), NONE, NONE);
                shown.add(one.output().values().get(0).toString());
            }
        }
        return shown;
    }

    @Test
    void shouldNotShowLaterChangesInASnapshot() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<Command> one = harness().open()) {
            one.receiveSecond(new Rule("put", "a", 1), NONE, NONE);
            one.receiveSecond(new Rule("put", "b", 1), NONE, NONE);
            snapshot = one.snapshot();
            one.receiveSecond(new Rule("put", "a", 2), NONE, NONE);
            one.receiveSecond(new Rule("remove", "b", 0), NONE, NONE);
        }

        try (OperatorHarness<Command> one = harness().open(snapshot)) {
            one.receiveSecond(new Rule("show", "", 0), NONE, NONE);
            assertEquals(List.of("{a=1, b=1}"), one.output().values());
        }
    }

    @Test
    void shouldRefuseOtherCodecsOfABroadcastStateAlsoIfItIsEmpty() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<Command> one = harness().open()) {
            snapshot = one.snapshot();
        }
        final BroadcastStateDescriptor<String, String> other =
                BroadcastStateDescriptor.of("rules", Codecs.strings(), Codecs.strings());

        final OperatorHarness<Command> restored = new OperatorHarness<>(operators(other));
        final StateException e = assertThrows(StateException.class, () -> restored.open(snapshot));

        restored.fail();
        assertEquals(
                "broadcast state 'rules' of operator op has value codec long version 1 in the checkpoint, but string"
                        + " version 1 is asked for: only versions of one codec can be migrated",
                e.getMessage());
    }

    @Test
    void shouldRefuseABroadcastStateThatTheOperatorDoesNotHave() throws Exception {
        try (harness) {
            harness.open();
            final IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> harness.receive(new Command("a", "other codecs", 0), NONE, NONE));
            assertEquals(
                    "operator op has no broadcast state 'rules' of string -> string: give its descriptor to"
                            + " broadcast(..); it has ['rules' of string -> long]",
                    e.getMessage());
        }
    }

    @Test
    void shouldVisitEntriesWhileTheyAreChanged() throws Exception {
        // given
        final HeapBroadcastState<Long, Long> state = new HeapBroadcastState<>(
                "op", BroadcastStateDescriptor.of("s", Codecs.longs(), Codecs.longs()), List.of());
        for (long key = 0; key < 10; key++) {
            state.put(key, key);
        }

        // when: some are removed, others replaced, new ones added
        final Map<Long, Long> visited = new HashMap<>();
        state.forEach((key, value) -> {
            assertEquals(null, visited.put(key, value));
            if (key % 3 == 0) {
                state.remove(key);
            } else {
                state.put(key, value + 100);
            }
            state.put(key + 1_000, 0L);
        });

        // then
        assertEquals(10, visited.size());
        assertEquals(16, state.size());
        assertEquals(101, state.get(1L));
        assertEquals(null, state.get(3L));
        state.forEach((key, value) -> state.clear());
        assertTrue(state.isEmpty());
    }

    @Test
    void shouldKeepWhatAFlyweightOverAValueIsChangedTo() {
        final HeapBroadcastState<LongCell, LongCell> state = new HeapBroadcastState<>(
                "op", BroadcastStateDescriptor.of("s", Codecs.longCell(), Codecs.longCell()), List.of());
        final LongCell key = new LongCell().set(1);
        state.put(key, new LongCell().set(5));

        state.get(key).add(1);
        assertEquals(5, state.get(key).get(), "a read changes nothing");

        state.put(key, state.get(key).add(1));
        assertEquals(6, state.get(key).get());
        assertTrue(state.contains(key));
        assertEquals(1, state.size());
    }

    private void add(final String key, final long number) throws Exception {
        harness.receive(new Command(key, "add", number), NONE, NONE);
    }

    private void tell(final String verb, final long number) throws Exception {
        harness.receiveSecond(new Rule(verb, "", number), NONE, NONE);
    }

    private String value(final int index) {
        return (String) harness.output().values().get(index);
    }
}
