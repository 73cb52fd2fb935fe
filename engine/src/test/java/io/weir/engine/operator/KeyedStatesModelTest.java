package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.AggregatingState;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.ValueState;
import io.weir.engine.harness.OperatorHarness;
import io.weir.storage.state.KeyGroups;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** All states by key against plain collections, restored after every step and rescaled in between. */
final class KeyedStatesModelTest {
    private static final long NONE = Long.MIN_VALUE;

    record Command(String key, String verb, String name, long number) {}

    /** All numbers, one behind another. */
    static final class Joined implements AggregateFunction<Long, String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String create() {
            return "";
        }

        @Override
        public String add(final String accumulator, final Long value) {
            return accumulator + value + ';';
        }

        @Override
        public String result(final String accumulator, final TimeWindow window) {
            return accumulator + (window.equals(TimeWindow.ALL) ? "all" : "window");
        }
    }

    /** Does as it is told and then shows all of its key's state. */
    static final class Scribe implements KeyedProcessFunction<String, Command, String> {
        private static final long serialVersionUID = 1L;
        private transient ValueState<String> value;
        private transient LongState number;
        private transient ListState<Long> list;
        private transient MapState<String, String> map;
        private transient ReducingState<Long> reduced;
        private transient AggregatingState<Long, String> folded;

        @Override
        public void open(final KeyedStates states) {
            value = states.valueState("value", Codecs.strings());
            number = states.longState("number");
            list = states.listState("list", Codecs.longs());
            map = states.mapState("map", Codecs.strings(), Codecs.strings());
            reduced = states.reducingState("reduced", Long::sum, Codecs.longs());
            folded = states.aggregatingState("folded", new Joined(), Codecs.strings());
        }

        @Override
        public void process(
                final Command command, final KeyedProcessContext<String> context, final Collector<String> out)
                throws Exception {
            final String text = text(command);
            switch (command.verb()) {
                case "update" -> value.update(text);
                case "set" -> number.set(command.number());
                case "add" -> list.add(command.number());
                case "replace" -> list.update(List.of(1L, command.number()));
                case "put" -> map.put(command.name(), text);
                case "remove" -> map.remove(command.name());
                case "prune" -> prune(command.number());
                case "reduce" -> reduced.add(command.number());
                case "fold" -> folded.add(command.number());
                case "clear" -> clear(command.name());
                case "timer" -> context.setEventTimer(command.number());
                default -> context.setProcessingTimer(command.number());
            }
            out.collect(show(context.key()));
        }

        private static String text(final Command command) {
            return command.name() + command.number() + "x".repeat((int) (command.number() % 5));
        }

        /** Visits all, removing some, replacing others and adding a few. */
        private void prune(final long number) throws Exception {
            final TreeSet<String> seen = new TreeSet<>();
            map.forEach((mapKey, text) -> {
                assertTrue(seen.add(mapKey), () -> mapKey + " is visited twice");
                switch ((int) ((mapKey.length() + number) % 3)) {
                    case 0 -> map.remove(mapKey);
                    case 1 -> map.put(mapKey, text + '!');
                    default -> map.put("added" + number % 7, text);
                }
            });
        }

        private void clear(final String name) {
            switch (name) {
                case "a" -> value.clear();
                case "ab" -> number.clear();
                case "abc" -> list.clear();
                case "bc" -> map.clear();
                case "c" -> reduced.clear();
                default -> folded.clear();
            }
        }

        private String show(final String key) throws Exception {
            final List<Long> numbers = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                numbers.add(list.get(i));
            }
            final Map<String, String> entries = new TreeMap<>();
            map.forEach((mapKey, text) -> {
                assertTrue(map.contains(mapKey));
                assertEquals(text, map.get(mapKey));
                assertEquals(null, entries.put(mapKey, text), "an entry is visited twice");
            });
            assertEquals(entries.isEmpty(), map.isEmpty());
            return key
                    + ' '
                    + value.value()
                    + ' '
                    + number.get(-1)
                    + ' '
                    + numbers
                    + ' '
                    + entries
                    + ' '
                    + reduced.get()
                    + ' '
                    + folded.get();
        }

        @Override
        public void onTimer(
                final long timeNs,
                final TimeDomain domain,
                final KeyedProcessContext<String> context,
                final Collector<String> out)
                throws Exception {
            out.collect(domain + " " + timeNs + ' ' + show(context.key()));
        }
    }

    /** The state of one key in plain collections. */
    private static final class Model {
        private String value;
        private long number = -1;
        private final List<Long> list = new ArrayList<>();
        private final Map<String, String> map = new TreeMap<>();
        private Long reduced;
        private String folded;

        void apply(final Command command) {
            final String text = Scribe.text(command);
            switch (command.verb()) {
                case "update" -> value = text;
                case "set" -> number = command.number();
                case "add" -> list.add(command.number());
                case "replace" -> {
                    list.clear();
                    list.addAll(List.of(1L, command.number()));
                }
                case "put" -> map.put(command.name(), text);
                case "remove" -> map.remove(command.name());
                case "reduce" -> reduced = reduced == null ? command.number() : reduced + command.number();
                case "fold" -> folded = (folded == null ? "" : folded) + command.number() + ';';
                case "clear" -> clear(command.name());
                default -> {}
            }
        }

        private void clear(final String name) {
            switch (name) {
                case "a" -> value = null;
                case "ab" -> number = -1;
                case "abc" -> list.clear();
                case "bc" -> map.clear();
                case "c" -> reduced = null;
                default -> folded = null;
            }
        }

        String show(final String key) {
            return key
                    + ' '
                    + value
                    + ' '
                    + number
                    + ' '
                    + list
                    + ' '
                    + map
                    + ' '
                    + reduced
                    + ' '
                    + (folded == null ? null : folded + "all");
        }
    }

    private static final String[] VERBS = {
        "update", "set", "add", "add", "replace", "put", "put", "put", "put", "remove", "reduce", "fold", "clear",
        "timer", "alarm"
    };
    /** Keys and map keys that would run into one another without a length between them. */
    private static final String[] NAMES = {"", "a", "ab", "abc", "bc", "c"};

    private final List<OperatorHarness<Command>> subtasks = new ArrayList<>();
    private final Map<String, Model> models = new HashMap<>();

    /** FLINK-10809. */
    @Test
    void shouldAgreeWithPlainCollectionsThroughRestoresAndRescaling() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            try {
                run(seed);
            } catch (final AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            } finally {
                close();
            }
        }
    }

    private void run(final long seed) throws Exception {
        final Random random = new Random(seed);
        models.clear();
        rescale(1, List.of());
        for (int step = 0; step < 300; step++) {
            final Command command = new Command(
                    NAMES[random.nextInt(NAMES.length)],
                    VERBS[random.nextInt(VERBS.length)],
                    NAMES[random.nextInt(NAMES.length)],
                    random.nextInt(1000));
            final Model model = models.computeIfAbsent(command.key(), key -> new Model());
            model.apply(command);
            assertEquals(model.show(command.key()), tell(command), () -> "after " + command);
            if (random.nextInt(20) == 0) {
                rescale(1 + random.nextInt(4), snapshot());
            }
        }
        final List<String> expected = new ArrayList<>();
        models.forEach((key, model) -> expected.add(model.show(key)));
        for (final OperatorHarness<Command> subtask : subtasks) {
            fire(subtask, expected);
        }
    }

    private static void fire(final OperatorHarness<Command> subtask, final List<String> states) throws Exception {
        final int before = subtask.output().values().size();
        subtask.watermark(Long.MAX_VALUE);
        subtask.processingTime(1_000_000);
        final List<Object> fired = subtask.output()
                .values()
                .subList(before, subtask.output().values().size());
        for (final Object timer : fired) {
            final String state = timer.toString().split(" ", 3)[2];
            assertTrue(states.contains(state), () -> timer + " is none of " + states);
        }
    }

    @Test
    void shouldVisitEachEntryOnceWhileTheVisitorRemovesReplacesAndAdds() throws Exception {
        try {
            rescale(1, List.of());
            for (int i = 0; i < 40; i++) {
                tell(new Command("k", "put", "m" + "x".repeat(i), i));
            }
            for (int i = 0; i < 20; i++) {
                tell(new Command("k", "prune", "", i));
            }
            tell(new Command("k", "clear", "bc", 0));
            assertEquals(0, subtasks.get(0).entryCount());
        } finally {
            close();
        }
    }

    @Test
    void shouldFireTimersOfBothClocksAfterRescaling() throws Exception {
        try {
            rescale(1, List.of());
            for (final String key : NAMES) {
                tell(new Command(key, "timer", "", 10));
                tell(new Command(key, "timer", "", 10));
                tell(new Command(key, "alarm", "", 20));
            }
            rescale(3, snapshot());
            rescale(2, snapshot());

            final TreeSet<String> fired = new TreeSet<>();
            for (final OperatorHarness<Command> subtask : subtasks) {
                subtask.watermark(9);
                subtask.processingTime(19);
                assertEquals(List.of(), subtask.output().values());
                subtask.watermark(10);
                subtask.processingTime(20);
                for (final Object value : subtask.output().values()) {
                    assertTrue(fired.add(value.toString()), () -> value + " fired twice");
                }
            }

            final TreeSet<String> expected = new TreeSet<>();
            for (final String key : NAMES) {
                expected.add("EVENT_TIME 10 " + new Model().show(key));
                expected.add("PROCESSING_TIME 20 " + new Model().show(key));
            }
            assertEquals(expected, fired);
        } finally {
            close();
        }
    }

    private String tell(final Command command) throws Exception {
        final OperatorHarness<Command> subtask = subtasks.get(owner(command.key()));
        final int before = subtask.output().values().size();
        subtask.receive(command, NONE, NONE);
        assertEquals(before + 1, subtask.output().values().size());
        return subtask.output().values().get(before).toString();
    }

    private int owner(final String key) throws Exception {
        final KeyExtractor<String> extractor = KeyExtractors.byObject(text -> text, Codecs.strings());
        final int group = KeyGroups.ofHash(extractor.extract(key), 128);
        return KeyGroups.owner(group, 128, subtasks.size());
    }

    private List<OperatorHarness.Snapshot> snapshot() throws Exception {
        final List<OperatorHarness.Snapshot> snapshots = new ArrayList<>();
        for (final OperatorHarness<Command> subtask : subtasks) {
            snapshots.add(subtask.snapshot());
        }
        return snapshots;
    }

    private void rescale(final int parallelism, final List<OperatorHarness.Snapshot> snapshots) throws Exception {
        close();
        for (int i = 0; i < parallelism; i++) {
            subtasks.add(new OperatorHarness<Command>(() -> new KeyedProcessOperator<>(
                            KeyExtractors.byObject(Command::key, Codecs.strings()), new Scribe()))
                    .subtask(i, parallelism)
                    .restoringAlways()
                    .slots(1)
                    .openAll(snapshots));
        }
    }

    private void close() {
        subtasks.forEach(OperatorHarness::close);
        subtasks.clear();
    }
}
