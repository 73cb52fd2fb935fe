package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.StateTtl;
import io.weir.engine.api.ValueState;
import io.weir.engine.harness.OperatorHarness;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.StateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** States that expire, against a model that remembers when each value was renewed. */
final class StateTtlTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final long TTL_NS = 100;

    record Command(String key, String verb, String name, long number) {}

    /** Does as it is told; only {@code show} reads. */
    static final class Scribe implements KeyedProcessFunction<String, Command, String> {
        private static final long serialVersionUID = 1L;
        private final StateTtl ttl;
        private transient ValueState<String> value;
        private transient LongState number;
        private transient ListState<Long> list;
        private transient MapState<String, String> map;
        private transient ReducingState<Long> sum;

        Scribe(final StateTtl ttl) {
            this.ttl = ttl;
        }

        @Override
        public void open(final KeyedStates states) {
            value = states.valueState("value", Codecs.strings(), ttl);
            number = states.longState("number", ttl);
            list = states.listState("list", Codecs.longs(), ttl);
            map = states.mapState("map", Codecs.strings(), Codecs.strings(), ttl);
            sum = states.reducingState("sum", Long::sum, Codecs.longs(), ttl);
        }

        @Override
        public void process(
                final Command command, final KeyedProcessContext<String> context, final Collector<String> out)
                throws Exception {
            switch (command.verb()) {
                case "update" -> value.update(command.name() + command.number());
                case "set" -> number.set(command.number());
                case "add" -> list.add(command.number());
                case "put" -> map.put(command.name(), "v" + command.number());
                case "remove" -> out.collect("" + map.remove(command.name()));
                case "isEmpty" -> out.collect("" + map.isEmpty());
                case "reduce" -> sum.add(1L);
                default -> out.collect(show());
            }
        }

        private String show() throws Exception {
            final List<Long> numbers = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                numbers.add(list.get(i));
            }
            final Map<String, String> entries = new TreeMap<>();
            map.forEach((mapKey, text) -> {
                assertEquals(text, map.get(mapKey));
                assertEquals(null, entries.put(mapKey, text), "an entry is visited twice");
            });
            return value.value() + ' ' + number.get(-1) + ' ' + numbers + ' ' + entries + ' ' + sum.get();
        }
    }

    /** A value and when it was renewed. */
    private static final class Stamped {
        private final Object value;
        private long stampNs;

        Stamped(final Object value, final long stampNs) {
            this.value = value;
            this.stampNs = stampNs;
        }
    }

    /** The state of one key. */
    private static final class Model {
        private final boolean renewedByReads;
        private final TreeMap<String, Stamped> values = new TreeMap<>();
        private final List<Stamped> list = new ArrayList<>();
        private final TreeMap<String, Stamped> map = new TreeMap<>();

        Model(final boolean renewedByReads) {
            this.renewedByReads = renewedByReads;
        }

        String apply(final Command command, final long nowNs) {
            values.values().removeIf(stamped -> isExpired(stamped, nowNs));
            list.removeIf(stamped -> isExpired(stamped, nowNs));
            map.values().removeIf(stamped -> isExpired(stamped, nowNs));
            switch (command.verb()) {
                case "update" -> values.put("value", new Stamped(command.name() + command.number(), nowNs));
                case "set" -> values.put("number", new Stamped(command.number(), nowNs));
                case "add" -> list.add(new Stamped(command.number(), nowNs));
                case "put" -> map.put(command.name(), new Stamped("v" + command.number(), nowNs));
                case "remove" -> {
                    return "" + (map.remove(command.name()) != null);
                }
                case "isEmpty" -> {
                    return "" + map.isEmpty();
                }
                case "reduce" -> values.put("sum", new Stamped((Long) read("sum", 0L, nowNs) + 1, nowNs));
                default -> {
                    return show(nowNs);
                }
            }
            return null;
        }

        private static boolean isExpired(final Stamped stamped, final long nowNs) {
            return nowNs - stamped.stampNs >= TTL_NS;
        }

        private Object read(final String name, final Object missing, final long nowNs) {
            final Stamped stamped = values.get(name);
            return stamped == null ? missing : read(stamped, nowNs);
        }

        private Object read(final Stamped stamped, final long nowNs) {
            if (renewedByReads) {
                stamped.stampNs = nowNs;
            }
            return stamped.value;
        }

        private String show(final long nowNs) {
            final Map<String, Object> entries = new TreeMap<>();
            map.forEach((mapKey, stamped) -> entries.put(mapKey, read(stamped, nowNs)));
            return read("value", null, nowNs) + " " + read("number", -1, nowNs) + ' '
                    + list.stream().map(stamped -> read(stamped, nowNs)).toList() + ' ' + entries + ' '
                    + read("sum", null, nowNs);
        }
    }

    private static final String[] KEYS = {"", "a", "ab", "b", "c"};
    private static final String[] VERBS = {
        "update", "set", "add", "add", "put", "put", "put", "put", "remove", "isEmpty", "reduce", "show"
    };

    private final List<OperatorHarness<Command>> subtasks = new ArrayList<>();
    private StateTtl ttl = StateTtl.afterWrite(Duration.ofNanos(TTL_NS));
    private long nowNs = 1_000;

    @AfterEach
    void close() {
        subtasks.forEach(OperatorHarness::close);
        subtasks.clear();
    }

    /** FC-168. */
    @Test
    void shouldExpireWhatWasNotWritten() throws Exception {
        runAgainstModel();
    }

    @Test
    void shouldExpireWhatWasNeitherReadNorWritten() throws Exception {
        ttl = StateTtl.afterAccess(Duration.ofNanos(TTL_NS));

        runAgainstModel();
    }

    private void runAgainstModel() throws Exception {
        for (long seed = 1; seed <= 15; seed++) {
            try {
                run(new Random(seed));
            } catch (final AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private void run(final Random random) throws Exception {
        final boolean restoring = random.nextBoolean();
        final Map<String, Model> models = new HashMap<>();
        rescale(1, List.of(), restoring);
        for (int step = 0; step < 400; step++) {
            final Command command = new Command(
                    KEYS[random.nextInt(KEYS.length)],
                    VERBS[random.nextInt(VERBS.length)],
                    KEYS[random.nextInt(KEYS.length)],
                    random.nextInt(1000));
            final String expected = models.computeIfAbsent(
                            command.key(), key -> new Model(ttl.renewal() == StateTtl.Renewal.READ_OR_WRITE))
                    .apply(command, nowNs);
            assertEquals(expected, tell(command), () -> "after " + command);
            if (random.nextInt(3) == 0) {
                goOn(random.nextInt(10) == 0 ? random.nextInt(250) : random.nextInt(8), random.nextBoolean());
            }
            if (random.nextInt(25) == 0) {
                rescale(1 + random.nextInt(3), snapshot(), restoring);
            }
        }
        assertEverythingIsSweptAway();
    }

    private void assertEverythingIsSweptAway() throws Exception {
        // An operator that is restored in each cycle begins its passes anew in each.
        rescale(subtasks.size(), snapshot(), false);
        goOn(TTL_NS, false);
        for (int i = 0; i < 200; i++) {
            goOn(TTL_NS / 8, true);
        }
        for (final OperatorHarness<Command> subtask : subtasks) {
            assertEquals(0, subtask.entryCount());
        }
    }

    @Test
    void shouldSweepDanglingSlotsOfAMapWhoseEntriesASnapshotLeftOut() throws Exception {
        rescale(1, List.of(), false);
        for (int i = 0; i < 300; i++) {
            tell(new Command("k", "put", "m" + i, i));
        }
        goOn(50, false);
        tell(new Command("k", "put", "late", 1));
        tell(new Command("k", "add", "", 1));
        goOn(60, false);

        rescale(2, snapshot(), false);

        final long entries =
                subtasks.stream().mapToLong(OperatorHarness::entryCount).sum();
        assertEquals(1 + 301 + 1 + 2, entries, "entry, slots, size, list");
        assertEquals(null, tell(new Command("k", "put", "m7", 8)));
        assertEquals("null -1 [1] {late=v1, m7=v8} null", tell(new Command("k", "show", "", 0)));
        assertEverythingIsSweptAway();
    }

    @Test
    void shouldNotGrowWhenKeysComeAndNeverComeAgain() throws Exception {
        rescale(1, List.of(), false);
        long most = 0;
        for (int i = 0; i < 30_000; i++) {
            tell(new Command("key" + i, "set", "", i));
            tell(new Command("key" + i, "put", "m", i));
            goOn(1, i % 20 == 0);
            most = Math.max(most, subtasks.get(0).entryCount());
        }

        // 100 keys of 4 entries are alive.
        assertTrue(most < 2_000, "up to " + most + " entries");
    }

    @Test
    void shouldExpireWhenTheClockHasGoneBack() throws Exception {
        rescale(1, List.of(), true);
        tell(new Command("k", "add", "", 1));
        nowNs -= 500;
        goOn(0, true);
        tell(new Command("k", "add", "", 2));
        assertEquals("null -1 [1, 2] {} null", tell(new Command("k", "show", "", 0)));

        goOn(500 + TTL_NS - 1, false);
        assertEquals("null -1 [1, 2] {} null", tell(new Command("k", "show", "", 0)));
        goOn(1, false);

        assertEquals("null -1 [] {} null", tell(new Command("k", "show", "", 0)));
    }

    @Test
    void shouldRefuseToTurnTheTimeToLiveOfExistingStateOnOrOff() throws Exception {
        final Map<String, Consumer<KeyedStates>> plain = Map.of(
                "value", states -> states.valueState("value", Codecs.strings()),
                "number", states -> states.longState("number"),
                "list", states -> states.listState("list", Codecs.longs()),
                "map", states -> states.mapState("map", Codecs.strings(), Codecs.strings()),
                "sum", states -> states.reducingState("sum", Long::sum, Codecs.longs()));
        rescale(1, List.of(), false);
        for (final String verb : List.of("update", "set", "add", "put", "reduce")) {
            tell(new Command("k", verb, "m", 1));
        }
        final OperatorHarness.Snapshot snapshot = subtasks.get(0).snapshot();

        for (final Map.Entry<String, Consumer<KeyedStates>> state : plain.entrySet()) {
            final StateException e = assertThrows(
                    StateException.class, () -> opening(state.getValue()).open(snapshot));

            assertTrue(
                    e.getMessage()
                            .startsWith("state '" + state.getKey()
                                    + "' of operator op is kept with a time-to-live in the checkpoint, but the job asks"
                                    + " for it without"),
                    e::getMessage);
        }
        try (OperatorHarness<Command> without = opening(states -> plain.values().forEach(state -> state.accept(states)))
                .open()) {
            final OperatorHarness.Snapshot other = without.snapshot();
            final StateException e = assertThrows(
                    StateException.class,
                    () -> opening(states -> states.longState("number", ttl)).open(other));
            assertTrue(
                    e.getMessage().contains("'number' of operator op is kept without a time-to-live"), e::getMessage);
        }
    }

    @Test
    void shouldTakeAnotherDurationForExistingState() throws Exception {
        rescale(1, List.of(), false);
        tell(new Command("k", "set", "", 7));
        tell(new Command("k", "add", "", 7));
        final List<OperatorHarness.Snapshot> snapshots = snapshot();
        ttl = StateTtl.afterAccess(Duration.ofNanos(10 * TTL_NS));
        goOn(5 * TTL_NS, false);

        rescale(1, snapshots, false);

        assertEquals("null 7 [7] {} null", tell(new Command("k", "show", "", 0)));
    }

    @Test
    void shouldRefuseDurationsThatAreNone() {
        assertThrows(IllegalArgumentException.class, () -> StateTtl.afterWrite(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> StateTtl.afterAccess(Duration.ofSeconds(-1)));
        assertThrows(IllegalArgumentException.class, () -> StateTtl.afterWrite(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    private static OperatorHarness<Command> opening(final Consumer<KeyedStates> open) {
        return new OperatorHarness<>(() -> new KeyedProcessOperator<String, Command, String>(
                KeyExtractors.byObject(Command::key, Codecs.strings()), new KeyedProcessFunction<>() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void open(final KeyedStates states) {
                        open.accept(states);
                    }

                    @Override
                    public void process(
                            final Command value,
                            final KeyedProcessContext<String> context,
                            final Collector<String> out) {
                        throw new AssertionError("no records");
                    }
                }));
    }

    private String tell(final Command command) throws Exception {
        final OperatorHarness<Command> subtask = subtasks.get(owner(command.key()));
        final int before = subtask.output().values().size();
        subtask.receive(command, NONE, NONE);
        final List<Object> values = subtask.output().values();
        return values.size() == before ? null : values.get(before).toString();
    }

    private void goOn(final long ns, final boolean sweeping) throws Exception {
        nowNs += ns;
        for (final OperatorHarness<Command> subtask : subtasks) {
            subtask.at(nowNs);
            if (sweeping) {
                subtask.processingTime(nowNs);
            }
        }
    }

    private int owner(final String key) throws Exception {
        final KeyExtractor<String> extractor = KeyExtractors.byObject(text -> text, Codecs.strings());
        return KeyGroups.owner(KeyGroups.ofHash(extractor.extract(key), 128), 128, subtasks.size());
    }

    private List<OperatorHarness.Snapshot> snapshot() throws Exception {
        final List<OperatorHarness.Snapshot> snapshots = new ArrayList<>();
        for (final OperatorHarness<Command> subtask : subtasks) {
            snapshots.add(subtask.snapshot());
        }
        return snapshots;
    }

    private void rescale(final int parallelism, final List<OperatorHarness.Snapshot> snapshots, final boolean restoring)
            throws Exception {
        close();
        for (int i = 0; i < parallelism; i++) {
            final OperatorHarness<Command> subtask = new OperatorHarness<>(() -> new KeyedProcessOperator<>(
                    KeyExtractors.byObject(Command::key, Codecs.strings()), new Scribe(ttl)));
            if (restoring) {
                subtask.restoringAlways();
            }
            subtasks.add(subtask.subtask(i, parallelism).at(nowNs).openAll(snapshots));
        }
    }
}
