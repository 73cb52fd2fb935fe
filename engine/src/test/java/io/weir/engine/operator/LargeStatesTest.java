package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.MapState;
import io.weir.engine.harness.OperatorHarness;
import io.weir.storage.state.StateException;
import java.util.BitSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** States far larger than a page, and states whose kind has changed. */
final class LargeStatesTest {
    private static final int COUNT = 100_000;
    private static final String LARGE = "0123456789".repeat(2_000);

    /** Runs a step of the test for each record. */
    private abstract static class Steps implements KeyedProcessFunction<String, Consumer<String>, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                final Consumer<String> step, final KeyedProcessContext<String> context, final Collector<String> out) {
            step.accept(context.key());
        }
    }

    private ListState<String> list;
    private MapState<Long, String> map;

    private OperatorHarness<Consumer<String>> harness(final Consumer<KeyedStates> open) {
        return new OperatorHarness<>(() -> new KeyedProcessOperator<String, Consumer<String>, String>(
                KeyExtractors.byObject(step -> "k", Codecs.strings()), new Steps() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void open(final KeyedStates states) {
                        open.accept(states);
                    }
                }));
    }

    private OperatorHarness<Consumer<String>> harness() {
        return harness(states -> {
            list = states.listState("list", Codecs.strings());
            map = states.mapState("map", Codecs.longs(), Codecs.strings());
        });
    }

    private static void run(final OperatorHarness<Consumer<String>> harness, final Consumer<String> step)
            throws Exception {
        harness.receive(step, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    @Test
    void shouldKeepALongList() throws Exception {
        try (OperatorHarness<Consumer<String>> harness = harness().open()) {
            run(harness, key -> {
                for (int i = 0; i < COUNT; i++) {
                    list.add("e" + i);
                }
            });
            harness.restore();
            run(harness, key -> {
                assertEquals(COUNT, list.size());
                for (int i = 0; i < COUNT; i++) {
                    assertEquals("e" + i, list.get(i));
                }
                assertThrows(IndexOutOfBoundsException.class, () -> list.get(COUNT));
                list.clear();
            });
            assertEquals(0, harness.entryCount());
        }
    }

    @Test
    void shouldKeepALargeMap() throws Exception {
        try (OperatorHarness<Consumer<String>> harness = harness().open()) {
            run(harness, key -> {
                for (long i = 0; i < COUNT; i++) {
                    map.put(i, "v" + i);
                }
                for (long i = 0; i < COUNT; i += 2) {
                    assertTrue(map.remove(i));
                }
            });
            harness.restore();
            run(harness, key -> {
                assertFalse(map.isEmpty());
                final BitSet seen = new BitSet();
                try {
                    map.forEach((number, text) -> {
                        assertEquals("v" + number, text);
                        seen.set(number.intValue());
                    });
                } catch (final Exception e) {
                    throw new AssertionError(e);
                }
                assertEquals(COUNT / 2, seen.cardinality());
                assertNull(map.get(0L));
                map.clear();
                assertTrue(map.isEmpty());
            });
            assertEquals(0, harness.entryCount());
        }
    }

    @Test
    void shouldKeepValuesLargerThanAPage() throws Exception {
        try (OperatorHarness<Consumer<String>> harness = harness().open()) {
            run(harness, key -> {
                list.add(LARGE);
                list.add("");
                map.put(1L, LARGE);
                map.put(2L, LARGE + 2);
                map.put(3L, "");
                map.remove(1L);
            });
            harness.restore();
            run(harness, key -> {
                assertEquals(LARGE, list.get(0));
                assertEquals("", list.get(1));
                assertEquals(LARGE + 2, map.get(2L));
                assertEquals("", map.get(3L));
            });
        }
    }

    @Test
    void shouldRefuseAStateThatTheCheckpointHoldsAsAnotherKind() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<Consumer<String>> harness = harness().open()) {
            run(harness, key -> map.put(1L, "v"));
            snapshot = harness.snapshot();
        }

        final OperatorHarness<Consumer<String>> changed =
                harness(states -> list = states.listState("map", Codecs.strings()));
        final StateException e = assertThrows(StateException.class, () -> changed.open(snapshot));

        final String expected =
                "state op/state.map has key codec long version 1 [(key:string)long] in the checkpoint, but"
                        + " string version 1 [(index:int)string] is asked for";
        assertTrue(e.getMessage().startsWith(expected), e::getMessage);
    }
}
