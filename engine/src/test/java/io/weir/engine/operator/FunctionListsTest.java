package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.ListState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.harness.OperatorHarness;
import io.weir.storage.state.StateException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Lists of functions that belong to a subtask. */
final class FunctionListsTest {
    private static final long NONE = Long.MIN_VALUE;

    record Entry(String text, long number) {}

    /** Keeps all records in both lists, the one of text only at the cut. */
    private static class Lists implements CheckpointedFunction {
        private final List<String> pending = new ArrayList<>();
        private ListState<String> texts;
        private ListState<Entry> entries;

        @Override
        public void initialize(final OperatorStates states) {
            texts = states.list("texts", Codecs.strings());
            entries = states.unionList("entries", Codec.ofRecord(Entry.class));
        }

        @Override
        public void snapshot(final long checkpointId) {
            texts.addAll(pending);
            pending.clear();
        }

        void keep(final String value) {
            if (value.equals("clear")) {
                texts.clear();
                entries.clear();
                pending.clear();
                return;
            }
            pending.add(value);
            entries.add(new Entry(value, value.length()));
        }

        String show() {
            final List<String> shown = new ArrayList<>();
            for (int i = 0; i < texts.size(); i++) {
                shown.add(texts.get(i));
            }
            shown.addAll(pending);
            shown.add("|");
            for (int i = 0; i < entries.size(); i++) {
                shown.add(entries.get(i).text() + entries.get(i).number());
            }
            return String.join(" ", shown);
        }
    }

    private static final class Each extends Lists implements ProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(final String value, final ProcessContext context, final Collector<String> out)
                throws Exception {
            keep(value);
            out.collect(show());
        }
    }

    private static final class Keyed extends Lists implements KeyedProcessFunction<String, String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(final String value, final KeyedProcessContext<String> context, final Collector<String> out)
                throws Exception {
            keep(value);
            out.collect(show());
        }
    }

    private static OperatorHarness<String> each() {
        return new OperatorHarness<>(() -> new ProcessOperator<>(new Each()));
    }

    private static OperatorHarness<String> keyed() {
        return new OperatorHarness<>(
                () -> new KeyedProcessOperator<>(KeyExtractors.byObject(text -> text, Codecs.strings()), new Keyed()));
    }

    @Test
    void shouldKeepListsOverRestores() throws Exception {
        for (final OperatorHarness<String> harness : List.of(each(), keyed())) {
            try (harness) {
                harness.restoringAlways().slots(1).open();
                for (final String value : List.of("a", "bc", "", "clear", "d")) {
                    harness.receive(value, NONE, NONE);
                }

                assertEquals(
                        List.of("a | a1", "a bc | a1 bc2", "a bc  | a1 bc2 0", "|", "d | d1"),
                        harness.output().values());
            }
        }
    }

    @Test
    void shouldSpreadAListOverTheSubtasksAndGiveAUnionToAll() throws Exception {
        final List<OperatorHarness.Snapshot> snapshots = new ArrayList<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            try (OperatorHarness<String> harness = each().subtask(subtask, 2).open()) {
                for (int i = 0; i < 3; i++) {
                    harness.receive("s" + subtask + i, NONE, NONE);
                }
                snapshots.add(harness.snapshot());
            }
        }

        final String all = " | s003 s013 s023 s103 s113 s123 x1";
        assertEquals(List.of("s00 s01 s02 x" + all, "s10 s11 s12 x" + all), restored(2, snapshots));
        assertEquals(List.of("s00 s10 x" + all, "s01 s11 x" + all, "s02 s12 x" + all), restored(3, snapshots));
        assertEquals(List.of("s00 s01 s02 s10 s11 s12 x" + all), restored(1, snapshots));
    }

    private static List<String> restored(final int parallelism, final List<OperatorHarness.Snapshot> snapshots)
            throws Exception {
        final List<String> shown = new ArrayList<>();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            try (OperatorHarness<String> harness =
                    each().subtask(subtask, parallelism).openAll(snapshots)) {
                harness.receive("x", NONE, NONE);
                shown.add(harness.output().values().get(0).toString());
            }
        }
        return shown;
    }

    @Test
    void shouldRefuseOtherCodecsAndListsThatNobodyAsksFor() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<String> harness = each().open()) {
            harness.receive("a", NONE, NONE);
            snapshot = harness.snapshot();
        }

        assertEquals(
                "list 'texts' of operator op has codec string version 1 in the checkpoint, but long version 1 is asked"
                        + " for: only versions of one codec can be migrated",
                refused(states -> states.list("texts", Codecs.longs()), snapshot));
        assertEquals(
                "the checkpoint has the lists [entries] of operator op that its function does not ask for as they are; Restore.allowUnmatchedState leaves them behind",
                refused(states -> states.list("texts", Codecs.strings()), snapshot));
        assertEquals(
                "the checkpoint has the lists [texts] of operator op that its function does not ask for as they are; Restore.allowUnmatchedState leaves them behind",
                refused(states -> states.unionList("texts", Codecs.strings()), snapshot));
        final OperatorHarness<String> without =
                new OperatorHarness<>(() -> new ProcessOperator<String, String>((value, context, out) -> {}));
        final StateException e = assertThrows(StateException.class, () -> without.open(snapshot));
        assertTrue(e.getMessage().contains("[texts] of operator op"), e::getMessage);
    }

    @Test
    void shouldRefuseToGiveOneListTwice() {
        final IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> opening(states -> {
                            states.list("a", Codecs.longs());
                            states.unionList("a", Codecs.longs());
                        })
                        .open());

        assertTrue(e.getMessage().startsWith("operator op asks for list 'a' twice"), e::getMessage);
    }

    @Test
    void shouldFailTheSnapshotWhenTheFunctionFails() throws Exception {
        try (OperatorHarness<String> harness = opening(states -> {}).open()) {
            final IllegalStateException e = assertThrows(IllegalStateException.class, harness::cut);

            assertEquals("planned", e.getMessage());
        }
    }

    @Test
    void shouldNotChangeTheListWhenAReadElementIsChanged() throws Exception {
        final List<ListState<byte[]>> list = new ArrayList<>();
        try (OperatorHarness<String> harness =
                opening(states -> list.add(states.list("a", Codecs.bytes()))).open()) {
            list.get(0).add(new byte[] {1});
            list.get(0).get(0)[0] = 2;

            assertEquals(1, list.get(0).get(0)[0]);
            assertThrows(IndexOutOfBoundsException.class, () -> list.get(0).get(1));
            assertEquals(new TreeSet<>(), new TreeSet<>(harness.output().values()));
        }
    }

    private static String refused(final Consumer<OperatorStates> initialize, final OperatorHarness.Snapshot snapshot) {
        return assertThrows(StateException.class, () -> opening(initialize).open(snapshot))
                .getMessage();
    }

    private static OperatorHarness<String> opening(final Consumer<OperatorStates> initialize) {
        return new OperatorHarness<>(() -> new ProcessOperator<>(new Opening(initialize)));
    }

    /** Initializes itself so, and fails at each cut. */
    private static final class Opening implements ProcessFunction<String, String>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private final transient Consumer<OperatorStates> initialize;

        Opening(final Consumer<OperatorStates> initialize) {
            this.initialize = initialize;
        }

        @Override
        public void initialize(final OperatorStates states) {
            initialize.accept(states);
        }

        @Override
        public void snapshot(final long checkpointId) {
            throw new IllegalStateException("planned");
        }

        @Override
        public void process(final String value, final ProcessContext context, final Collector<String> out) {
            throw new AssertionError("no records");
        }
    }
}
