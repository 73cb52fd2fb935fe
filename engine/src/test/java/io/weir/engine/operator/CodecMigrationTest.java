package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.AggregatingState;
import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.Migration;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.StateTtl;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.Tumbling;
import io.weir.engine.api.ValueState;
import io.weir.engine.harness.OperatorHarness;
import io.weir.storage.state.StateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

/** An item gets a unit in version 2 of its codec: what all kinds of state make of that. */
final class CodecMigrationTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final StateTtl WRITTEN = StateTtl.afterWrite(Duration.ofNanos(100));
    private static final StateTtl READ = StateTtl.afterAccess(Duration.ofNanos(100));

    /** As it is now. */
    record Item(String name, long amount, String unit) {
        Item plus(final Item other) {
            return new Item(name, amount + other.amount, unit);
        }
    }

    /** As it was. */
    record Item1(String name, long amount) {}

    /** Swaps what it has. */
    record Item1Wrong(long amount, String name) {}

    private static final Codec<Item> FIRST = new FirstCodec();
    private static final Codec<Item> SECOND = Codec.ofRecord(Item.class)
            .version(2, Migration.from(1, Codec.ofRecord(Item1.class), old -> new Item(old.name, old.amount, "new")));

    /** What the job had when an item was an {@link Item1}, in the clothes of today. */
    private static final class FirstCodec implements Codec<Item> {
        private final Codec<Item1> codec = Codec.ofRecord(Item1.class).id("Item");

        @Override
        public String signature() {
            return codec.signature();
        }

        @Override
        public int encode(final Item value, final MutableDirectBuffer buffer, final int offset) {
            return codec.encode(new Item1(value.name, value.amount), buffer, offset);
        }

        @Override
        public Item decode(final DirectBuffer buffer, final int offset, final int length) {
            final Item1 item = codec.decode(buffer, offset, length);
            return new Item(item.name, item.amount, "none");
        }
    }

    /** Keeps items in every kind of state by key, and shows all of them. */
    private static final class Kinds implements KeyedProcessFunction<String, String, String> {
        private static final long serialVersionUID = 1L;

        private final transient Codec<Item> items;
        private final List<ValueState<Item>> values = new ArrayList<>();
        private final List<ListState<Item>> lists = new ArrayList<>();
        private final List<MapState<Long, Item>> maps = new ArrayList<>();
        private final List<ReducingState<Item>> reducing = new ArrayList<>();
        private final List<AggregatingState<Item, String>> aggregating = new ArrayList<>();

        Kinds(final Codec<Item> items) {
            this.items = items;
        }

        @Override
        public void open(final KeyedStates states) {
            values.add(states.valueState("value", items));
            values.add(states.valueState("value-written", items, WRITTEN));
            values.add(states.valueState("value-read", items, READ));
            lists.add(states.listState("list", items));
            lists.add(states.listState("list-written", items, WRITTEN));
            lists.add(states.listState("list-read", items, READ));
            maps.add(states.mapState("map", Codecs.longs(), items));
            maps.add(states.mapState("map-written", Codecs.longs(), items, WRITTEN));
            reducing.add(states.reducingState("reducing", Item::plus, items));
            reducing.add(states.reducingState("reducing-written", Item::plus, items, WRITTEN));
            aggregating.add(states.aggregatingState("aggregating", new Sum(), items));
            aggregating.add(states.aggregatingState("aggregating-written", new Sum(), items, WRITTEN));
        }

        @Override
        public void process(final String key, final KeyedProcessContext<String> context, final Collector<String> out)
                throws Exception {
            if (key.startsWith("show ")) {
                out.collect(show());
                return;
            }
            final Item item = new Item(key, 7, "kg");
            for (final ValueState<Item> value : values) {
                value.update(item);
            }
            for (final ListState<Item> list : lists) {
                list.add(item);
                list.add(item.plus(item));
            }
            for (final MapState<Long, Item> map : maps) {
                map.put(3L, item);
                map.put(4L, item.plus(item));
            }
            for (final ReducingState<Item> reduced : reducing) {
                reduced.add(item);
                reduced.add(item);
            }
            for (final AggregatingState<Item, String> aggregated : aggregating) {
                aggregated.add(item);
            }
            context.setEventTimer(50);
        }

        @Override
        public void onTimer(
                final long timeNs,
                final TimeDomain domain,
                final KeyedProcessContext<String> context,
                final Collector<String> out)
                throws Exception {
            out.collect("timer " + context.key() + ' ' + show());
        }

        private String show() throws Exception {
            final StringBuilder shown = new StringBuilder();
            for (final ValueState<Item> value : values) {
                shown.append(text(value.value()));
            }
            for (final ListState<Item> list : lists) {
                shown.append('[');
                for (int i = 0, size = list.size(); i < size; i++) {
                    shown.append(text(list.get(i)));
                }
                shown.append(']');
            }
            for (final MapState<Long, Item> map : maps) {
                final TreeSet<String> entries = new TreeSet<>();
                map.forEach((number, item) -> entries.add(number + text(item)));
                shown.append(entries);
            }
            for (final ReducingState<Item> reduced : reducing) {
                shown.append(text(reduced.get()));
            }
            for (final AggregatingState<Item, String> aggregated : aggregating) {
                shown.append(aggregated.get());
            }
            return shown.toString();
        }

        private static String text(final Item item) {
            return item == null ? "-" : "(" + item.amount + item.unit + ')';
        }
    }

    private static final class Sum implements AggregateFunction<Item, Item, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public Item create() {
            return new Item("sum", 0, "g");
        }

        @Override
        public Item add(final Item accumulator, final Item value) {
            return accumulator.plus(value);
        }

        @Override
        public String result(final Item accumulator, final TimeWindow window) {
            return "{" + accumulator.amount + accumulator.unit + '}';
        }
    }

    private static OperatorHarness<String> kinds(final Codec<Item> items) {
        return new OperatorHarness<>(() -> new KeyedProcessOperator<>(
                KeyExtractors.byObject(CodecMigrationTest::key, Codecs.strings()), new Kinds(items)));
    }

    private static String key(final String record) {
        return record.substring(record.indexOf(' ') + 1);
    }

    private static OperatorHarness.Snapshot first() throws Exception {
        try (OperatorHarness<String> harness = kinds(FIRST)) {
            harness.at(1000).open();
            harness.receive("a", NONE, NONE);
            return harness.snapshot();
        }
    }

    private static String shown(final String unit) {
        final String one = "(7" + unit + ")";
        final String two = "(14" + unit + ")";
        final String list = "[" + one + two + "]";
        final String map = "[3" + one + ", 4" + two + "]";
        return one.repeat(3) + list.repeat(3) + map.repeat(2) + two.repeat(2) + ("{7" + unit + "}").repeat(2);
    }

    @Test
    void shouldMigrateAllKindsOfStateByKey() throws Exception {
        final OperatorHarness.Snapshot first = first();
        try (OperatorHarness<String> harness = kinds(SECOND)) {
            harness.restoringAlways().at(1099).open(first);

            harness.receive("show a", NONE, NONE);
            harness.receive("b", NONE, NONE);
            harness.receive("show b", NONE, NONE);
            harness.watermark(50);

            assertEquals(
                    List.of(
                            shown("new"),
                            shown("kg").replace("{7kg}", "{7g}"),
                            "timer a " + shown("new"),
                            "timer b " + shown("kg").replace("{7kg}", "{7g}")),
                    harness.output().values());
        }
    }

    @Test
    void shouldKeepTheTimesFromWhichLivesCount() throws Exception {
        final OperatorHarness.Snapshot first = first();
        try (OperatorHarness<String> harness = kinds(SECOND)) {
            harness.at(1100).open(first);

            harness.receive("show a", NONE, NONE);

            assertEquals(
                    List.of("(7new)--[(7new)(14new)][][][3(7new), 4(14new)][](14new)-{7new}null"),
                    harness.output().values());
        }
    }

    @Test
    void shouldRefuseEachStateWithoutAMigrationAndWhatIsOlder() throws Exception {
        final OperatorHarness.Snapshot first = first();
        assertEquals(
                "state op/state.value has value codec Item version 1 [Item(name:string?,amount:long)] in the"
                        + " checkpoint, but Item version 2 [Item@2(name:string?,amount:long,unit:string?)] is asked for:"
                        + " there is no migration that reads version 1 as it is there",
                refusal(kinds(Codec.ofRecord(Item.class).version(2)), first));
        assertEquals(
                "state op/state.value has value codec Item version 1 [Item(name:string?,amount:long)] in the"
                        + " checkpoint, but Item version 1 [Item(name:string?,amount:long,unit:string?)] is asked for: a"
                        + " codec whose layout changes needs a new version and a migration",
                refusal(kinds(Codec.ofRecord(Item.class)), first));
        final Codec<Item> wrong = Codec.ofRecord(Item.class)
                .version(
                        2,
                        Migration.from(
                                1, Codec.ofRecord(Item1Wrong.class), old -> new Item(old.name, old.amount, "wrong")));
        assertTrue(refusal(kinds(wrong), first).contains("there is no migration that reads version 1 as it is there"));
        final OperatorHarness.Snapshot second;
        try (OperatorHarness<String> harness = kinds(SECOND)) {
            second = harness.at(1099).open(first).snapshot();
        }
        assertTrue(refusal(kinds(FIRST), second).contains("a newer version can't be read"));
    }

    private static <T> String refusal(final OperatorHarness<T> harness, final OperatorHarness.Snapshot snapshot) {
        final StateException e = assertThrows(StateException.class, () -> harness.open(snapshot));
        harness.fail();
        return e.getMessage();
    }

    @Test
    void shouldNameStateAndKeyOfAMigrationThatFails() throws Exception {
        final Codec<Item> failing = Codec.ofRecord(Item.class).version(2, (fromVersion, old) -> {
            throw new IllegalStateException("planned");
        });
        final Codec<Item> empty = Codec.ofRecord(Item.class).version(2, (fromVersion, old) -> null);

        assertEquals(
                "state 'value' of operator op: the migration of a value of codec Item from version 1 to 2 failed at key"
                        + " \"a\": java.lang.IllegalStateException: planned",
                refusal(kinds(failing), first()));
        assertTrue(refusal(kinds(empty), first()).contains("failed at key \"a\""));
    }

    @Test
    void shouldReadSeveralVersions() throws Exception {
        final OperatorHarness.Snapshot second;
        try (OperatorHarness<String> harness = kinds(SECOND)) {
            second = harness.at(1099).open(first()).snapshot();
        }
        final Codec<Item> third = Codec.ofRecord(Item.class)
                .version(
                        3,
                        Migration.<Item1, Item>from(
                                        1, Codec.ofRecord(Item1.class), old -> new Item(old.name, old.amount, "1 to 3"))
                                .orFrom(
                                        2,
                                        Codec.ofRecord(Item.class),
                                        old -> new Item(old.name, old.amount, old.unit + " to 3")));

        for (final OperatorHarness.Snapshot snapshot : List.of(first(), second)) {
            try (OperatorHarness<String> harness = kinds(third)) {
                harness.at(1099).open(snapshot);
                harness.receive("show a", NONE, NONE);
                assertEquals(
                        List.of(shown(snapshot == second ? "new to 3" : "1 to 3")),
                        harness.output().values());
            }
        }
    }

    @Test
    void shouldRefuseOtherKeysOfStreamsMapsAndTimers() throws Exception {
        final Codec<String> keys = Codecs.strings().version(2, (fromVersion, old) -> "never called");
        final OperatorHarness<String> rekeyed = new OperatorHarness<>(() ->
                new KeyedProcessOperator<>(KeyExtractors.byObject(CodecMigrationTest::key, keys), new Kinds(FIRST)));
        assertEquals(
                "timers op/timers has key codec string version 1 in the checkpoint, but string version 2 [string@2] is"
                        + " asked for: keys can't be migrated, because their bytes decide key group, hash and order; keep"
                        + " the codec, or give the state another name",
                refusal(rekeyed, first()));
        final OperatorHarness.Snapshot maps;
        try (OperatorHarness<String> harness = map(Codecs.strings())) {
            maps = harness.open().snapshot();
        }
        assertEquals(
                "state op/state.map has key codec string version 1 [(key:string)string] in the checkpoint, but string"
                        + " version 2 [(key:string)string@2] is asked for: keys can't be migrated, because their bytes"
                        + " decide key group, hash and order; keep the codec, or give the state another name",
                refusal(map(keys), maps));
    }

    private static OperatorHarness<String> map(final Codec<String> mapKeys) {
        return new OperatorHarness<>(() ->
                new KeyedProcessOperator<>(KeyExtractors.byObject(text -> text, Codecs.strings()), new Maps(mapKeys)));
    }

    private record Maps(Codec<String> mapKeys) implements KeyedProcessFunction<String, String, String> {
        @Override
        public void open(final KeyedStates states) {
            states.mapState("map", mapKeys, Codecs.longs());
        }

        @Override
        public void process(
                final String value, final KeyedProcessContext<String> context, final Collector<String> out) {
            // Nothing is kept: an empty state has its codecs too.
        }
    }

    @Test
    void shouldMigrateOpenWindows() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<Item> harness = windows(FIRST)) {
            harness.open();
            harness.receive(new Item("a", 5, "kg"), 3, NONE);
            snapshot = harness.snapshot();
        }

        try (OperatorHarness<Item> harness = windows(SECOND)) {
            harness.open(snapshot);
            harness.receive(new Item("a", 6, "kg"), 4, NONE);
            harness.receive(new Item("b", 1, "kg"), 4, NONE);
            harness.watermark(9);
            assertEquals(List.of("{11new}", "{1g}"), harness.output().values());
        }
        assertTrue(refusal(windows(Codec.ofRecord(Item.class).version(2)), snapshot)
                .contains("state op/windows has"));
    }

    private static OperatorHarness<Item> windows(final Codec<Item> items) {
        return new OperatorHarness<>(() -> new WindowAggregateOperator<String, Item, Item, String>(
                KeyExtractors.byObject(Item::name, Codecs.strings()),
                new Tumbling(10, 0),
                new Sum(),
                items,
                null,
                null));
    }

    /** Keeps items in lists of the subtask and in a broadcast state. */
    private record Unkeyed(BroadcastStateDescriptor<String, Item> rules, Codec<Item> items, List<ListState<Item>> lists)
            implements BroadcastProcessFunction<String, Item, String>, CheckpointedFunction {
        @Override
        public void initialize(final OperatorStates states) {
            lists.add(states.list("split", items));
            lists.add(states.unionList("union", items));
        }

        @Override
        public void snapshot(final long checkpointId) {
            // The lists are up to date.
        }

        @Override
        public void processElement(final String name, final ReadOnlyContext context, final Collector<String> out)
                throws Exception {
            final StringBuilder shown = new StringBuilder();
            for (final ListState<Item> list : lists) {
                for (int i = 0; i < list.size(); i++) {
                    shown.append(list.get(i).unit).append(' ');
                }
            }
            out.collect(
                    shown.append(context.broadcastState(rules).get(name).unit).toString());
        }

        @Override
        public void processBroadcastElement(final Item item, final Context context, final Collector<String> out)
                throws Exception {
            lists.forEach(list -> list.add(item));
            context.broadcastState(rules).put(item.name, item);
        }
    }

    private static OperatorHarness<String> unkeyed(
            final Codec<String> names, final Codec<Item> listed, final Codec<Item> items) {
        final BroadcastStateDescriptor<String, Item> rules = BroadcastStateDescriptor.of("rules", names, items);
        return new OperatorHarness<>(
                () -> new BroadcastProcessOperator<>(new Unkeyed(rules, listed, new ArrayList<>()), List.of(rules)));
    }

    @Test
    void shouldMigrateListsOfSubtasksAndBroadcastState() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<String> harness = unkeyed(Codecs.strings(), FIRST, FIRST)) {
            harness.open();
            harness.receiveSecond(new Item("a", 5, "kg"), NONE, NONE);
            harness.receiveSecond(new Item("b", 5, "kg"), NONE, NONE);
            snapshot = harness.snapshot();
        }

        try (OperatorHarness<String> harness = unkeyed(Codecs.strings(), SECOND, SECOND)) {
            harness.restoringAlways().open(snapshot);
            harness.receiveSecond(new Item("b", 5, "kg"), NONE, NONE);
            harness.receive("a", NONE, NONE);
            harness.receive("b", NONE, NONE);
            assertEquals(
                    List.of("new new kg new new kg new", "new new kg new new kg kg"),
                    harness.output().values());
        }
        final Codec<Item> failing = Codec.ofRecord(Item.class).version(2, (fromVersion, old) -> {
            throw new IllegalStateException("planned");
        });
        assertEquals(
                "list 'split' of operator op: the migration of a value of codec Item from version 1 to 2 failed at"
                        + " element 0: java.lang.IllegalStateException: planned",
                refusal(unkeyed(Codecs.strings(), failing, SECOND), snapshot));
        assertEquals(
                "broadcast state 'rules' of operator op: the migration of a value of codec Item from version 1 to 2"
                        + " failed at key \"a\": java.lang.IllegalStateException: planned",
                refusal(unkeyed(Codecs.strings(), SECOND, failing), snapshot));
        assertTrue(refusal(unkeyed(Codecs.strings(), Codec.ofRecord(Item.class).version(2), SECOND), snapshot)
                .contains("list 'split' of operator op has codec Item version 1"));
        assertTrue(refusal(
                        unkeyed(
                                Codecs.strings(),
                                SECOND,
                                Codec.ofRecord(Item.class).version(2)),
                        snapshot)
                .contains("broadcast state 'rules' of operator op has value codec Item version 1"));
        assertTrue(refusal(unkeyed(Codecs.strings().version(2), SECOND, SECOND), snapshot)
                .contains("broadcast state 'rules' of operator op has key codec string version 1"));
    }
}
