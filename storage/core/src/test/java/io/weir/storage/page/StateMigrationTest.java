package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.CodecText;
import io.weir.storage.state.DeltaStateBackend;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateException;
import io.weir.storage.state.StateFormat;
import io.weir.storage.state.StateSegments.Part;
import io.weir.storage.state.StoreContext;
import io.weir.storage.state.ValueMigration;
import io.weir.storage.state.ValueTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of restored state whose codecs have changed: the same for every backend. */
final class StateMigrationTest {
    private static final int GROUPS = 8;
    private static final int KEYS = 3_000;
    private static final String NAME = "uid/state.x";
    private static final String OTHER = "uid/state.other";
    private static final String TIMERS = "uid/timers";

    private final FailingSegments segments = new FailingSegments();
    private final List<KeyedStateStore> opened = new ArrayList<>();

    static List<StateBackend> backends() {
        return List.of(
                new HeapStateBackend(),
                new PagesStateBackend(),
                new PagesStateBackend(new PagesSettings(null, 0.3, 0, 2)),
                new DeltaStateBackend());
    }

    @AfterEach
    void close() {
        opened.forEach(KeyedStateStore::close);
    }

    /** Values of version n are {@code n:text}, longer with each version. */
    private static String value(final int version, final int number) {
        final int length = number % 100 == 0 ? 5000 : number % 7 * 10;
        return version + ":" + (number + "|").repeat(1 + length * version / 10);
    }

    private static StateDescriptor state(final int version) {
        return new StateDescriptor(NAME, "string", CodecText.of("value(layout" + version + ")", version));
    }

    private static StateDescriptor migrated(final int version) {
        return state(version).migratedBy(new Renumber(version));
    }

    /** Knows the number from the old value's text. */
    private static class Renumber implements ValueMigration {
        private final int version;

        Renumber(final int version) {
            this.version = version;
        }

        @Override
        public boolean reads(final int fromVersion, final String layout) {
            return layout.equals("(layout" + fromVersion + ")");
        }

        @Override
        public int migrate(
                final int fromVersion,
                final DirectBuffer key,
                final DirectBuffer value,
                final MutableDirectBuffer target) {
            final String old = text(value);
            final int number = Integer.parseInt(old.substring(2, old.indexOf('|')));
            assertEquals(value(fromVersion, number), old);
            assertEquals("k" + number, text(key));
            final byte[] migrated = value(version, number).getBytes(StandardCharsets.US_ASCII);
            target.putBytes(0, migrated);
            return migrated.length;
        }
    }

    private static String text(final DirectBuffer view) {
        return view.getStringWithoutLengthAscii(0, view.capacity());
    }

    private static UnsafeBuffer bytes(final String text) {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static int group(final DirectBuffer key) {
        return KeyGroups.ofHash(KeyGroups.hash(key, 0, key.capacity()), GROUPS);
    }

    private static void put(
            final KeyedStateStore store, final StateDescriptor state, final int number, final String text) {
        final UnsafeBuffer key = bytes("k" + number);
        final UnsafeBuffer value = bytes(text);
        store.valueTable(state).put(group(key), key, 0, key.capacity(), value, 0, value.capacity());
    }

    private KeyedStateStore open(final StateBackend backend, final Part... parts) {
        return open(backend, 0, GROUPS, parts);
    }

    private KeyedStateStore open(final StateBackend backend, final int first, final int end, final Part... parts) {
        final KeyedStateStore store = backend.open(new StoreContext(GROUPS, first, end, segments.shared()));
        opened.add(store);
        segments.segments().restoreParts(store, List.of(parts));
        return store;
    }

    private Part write(final KeyedStateStore store) {
        return segments.segments().writeOwn(store.freeze(), 0, GROUPS);
    }

    private Part canonical(final KeyedStateStore store) {
        return new Part(segments.segments().write(store.freeze()), List.of(), 0, GROUPS);
    }

    /** A checkpoint of version 1, with another state and timers beside it. */
    private KeyedStateStore filled(final StateBackend backend) {
        final KeyedStateStore store = open(backend);
        for (int i = 0; i < KEYS; i++) {
            put(store, state(1), i, value(1, i));
            put(store, new StateDescriptor(OTHER, "string", "text"), i, "other" + i);
            final UnsafeBuffer key = bytes("k" + i);
            store.timerTable(TIMERS, "string").set(group(key), i, key, 0, key.capacity());
        }
        return store;
    }

    private static Map<String, String> expected(final int version) {
        final Map<String, String> entries = new TreeMap<>();
        for (int i = 0; i < KEYS; i++) {
            entries.put("k" + i, value(version, i));
        }
        return entries;
    }

    private static Map<String, String> entries(final ValueTable table) {
        final Map<String, String> entries = new TreeMap<>();
        table.forEach((keyGroup, key, value) -> assertEquals(null, entries.put(text(key), text(value))));
        return entries;
    }

    private static void assertOthersAreThere(final KeyedStateStore store) {
        final Map<String, String> entries = entries(store.valueTable(new StateDescriptor(OTHER, "string", "text")));
        assertEquals(KEYS, entries.size());
        entries.forEach((key, value) -> assertEquals("other" + key.substring(1), value));
        assertEquals(KEYS, store.timerTable(TIMERS, "string").size());
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTakeTheSameVersionAsItIs(final StateBackend backend) {
        final Part part = write(filled(backend));

        final ValueMigration never = new ValueMigration() {
            @Override
            public boolean reads(final int fromVersion, final String layout) {
                throw new AssertionError("not asked");
            }

            @Override
            public int migrate(
                    final int fromVersion,
                    final DirectBuffer key,
                    final DirectBuffer value,
                    final MutableDirectBuffer target) {
                throw new AssertionError("not called");
            }
        };
        assertEquals(expected(1), entries(open(backend, part).valueTable(state(1).migratedBy(never))));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldMigrateEveryValueBeforeAnybodySeesIt(final StateBackend backend) {
        final KeyedStateStore store = filled(backend);
        for (final Part part : List.of(write(store), canonical(store))) {
            final ValueTable table = open(backend, part).valueTable(migrated(2));

            assertEquals(KEYS, table.size());
            final UnsafeBuffer view = new UnsafeBuffer(0, 0);
            for (int i = 0; i < KEYS; i++) {
                final UnsafeBuffer key = bytes("k" + i);
                assertTrue(table.get(group(key), key, 0, key.capacity(), view));
                assertEquals(value(2, i), text(view));
            }
            assertEquals(expected(2), entries(table));
            final Map<String, String> scanned = new TreeMap<>();
            for (long at = ValueTable.SCAN_BEGIN; at != ValueTable.SCAN_END; ) {
                at = table.scan(at, 7, (group, key, value) -> assertEquals(null, scanned.put(text(key), text(value))));
            }
            assertEquals(expected(2), scanned);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldMigrateWithTheParallelismChanged(final StateBackend backend) {
        final KeyedStateStore one = filled(backend);
        final Part whole = write(one);

        final List<Part> halves = new ArrayList<>();
        final Map<String, String> found = new TreeMap<>();
        for (int first = 0; first < GROUPS; first += GROUPS / 2) {
            final KeyedStateStore half = open(backend, first, first + GROUPS / 2, whole);
            found.putAll(entries(half.valueTable(migrated(2))));
            half.timerTable(TIMERS, "string");
            halves.add(segments.segments().writeOwn(half.freeze(), first, first + GROUPS / 2));
        }
        assertEquals(expected(2), found);

        final KeyedStateStore again = open(backend, halves.toArray(new Part[0]));
        assertEquals(expected(3), entries(again.valueTable(migrated(3))));
        final KeyedStateStore last = open(backend, write(again));
        assertEquals(expected(3), entries(last.valueTable(state(3))));
        assertOthersAreThere(last);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldKeepTheNewVersionInAllSnapshotsFromThenOn(final StateBackend backend) {
        final KeyedStateStore upgraded = open(backend, write(filled(backend)));
        upgraded.valueTable(migrated(2));
        final Map<String, String> model = expected(2);
        for (int round = 0; round < 6; round++) {
            for (final Part part : List.of(write(upgraded), canonical(upgraded))) {
                final KeyedStateStore restored = open(backend, part);
                assertEquals(model, entries(restored.valueTable(state(2))), "round " + round);
                assertOthersAreThere(restored);
                final StateException back = assertThrows(
                        StateException.class, () -> open(backend, part).valueTable(migrated(1)));
                assertTrue(back.getMessage().contains("a newer version can't be read"), back::getMessage);
            }
            for (int i = round; i < KEYS; i += 97) {
                put(upgraded, state(2), i, "2:round" + round);
                model.put("k" + i, "2:round" + round);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldMigrateVersionByVersionOrSeveralAtOnce(final StateBackend backend) {
        final Part first = write(filled(backend));
        Part part = first;
        for (int version = 2; version <= 4; version++) {
            final KeyedStateStore upgraded = open(backend, part);
            assertEquals(expected(version), entries(upgraded.valueTable(migrated(version))));
            part = write(upgraded);
        }

        assertEquals(expected(4), entries(open(backend, part).valueTable(state(4))));
        assertEquals(expected(4), entries(open(backend, first).valueTable(migrated(4))));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldMigrateIntoAnotherBackendThroughTheCanonicalForm(final StateBackend backend) {
        final Part part = canonical(filled(backend));

        for (final StateBackend other : backends()) {
            assertEquals(
                    expected(2),
                    entries(open(backend, canonical(upgraded(other, part))).valueTable(state(2))));
        }
    }

    private KeyedStateStore upgraded(final StateBackend backend, final Part part) {
        final KeyedStateStore store = open(backend, part);
        store.valueTable(migrated(2));
        return store;
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldKeepTheOldVersionOfAStateThatNobodyAsksFor(final StateBackend backend) {
        final KeyedStateStore indifferent = open(backend, write(filled(backend)));
        assertEquals(List.of(OTHER, NAME, TIMERS), indifferent.unclaimed());
        final Part before = write(indifferent);

        // Asked for at last, between two snapshots.
        indifferent.valueTable(migrated(2));
        final Part after = write(indifferent);

        assertEquals(expected(1), entries(open(backend, before).valueTable(state(1))));
        assertEquals(expected(2), entries(open(backend, after).valueTable(state(2))));
        assertOthersAreThere(open(backend, after));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldGetOverSnapshotsThatFailOrAreGivenUpBehindAMigration(final StateBackend backend) {
        for (final String failing : List.of("base", "delta", "merged")) {
            final KeyedStateStore store = upgraded(backend, write(filled(backend)));
            store.freeze().close();
            segments.failAt(failing);
            try (FrozenState frozen = store.freeze()) {
                segments.segments().writeOwn(frozen, 0, GROUPS);
            } catch (final SnapshotException expected) {
                assertTrue(expected.getMessage().contains("the disk fails"), expected::getMessage);
            } finally {
                segments.failAt(null);
            }
            put(store, state(2), 5, "2:late");

            final KeyedStateStore restored = open(backend, write(store));

            final Map<String, String> model = expected(2);
            model.put("k5", "2:late");
            assertEquals(model, entries(restored.valueTable(state(2))), failing);
            assertOthersAreThere(restored);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldRefuseWhatNoMigrationReads(final StateBackend backend) {
        final KeyedStateStore store = open(backend);
        put(store, state(3), 1, value(3, 1));
        final Part part = write(store);
        final String has =
                "state uid/state.x has value codec value version 3 [value@3(layout3)] in the checkpoint, but ";

        assertEquals(
                has
                        + "value version 4 [value@4(layout4)] is asked for: there is no migration that reads version 3"
                        + " as it is there",
                refusal(backend, part, state(4)));
        assertEquals(
                has
                        + "value version 4 [value@4(layout4)] is asked for: there is no migration that reads version 3"
                        + " as it is there",
                refusal(backend, part, state(4).migratedBy(new Renumber(4) {
                    @Override
                    public boolean reads(final int fromVersion, final String layout) {
                        return fromVersion != 3;
                    }
                })));
        assertEquals(
                has + "value version 2 [value@2(layout2)] is asked for: a newer version can't be read; run the job that"
                        + " wrote it, or restore a checkpoint from before it",
                refusal(backend, part, migrated(2)));
        assertEquals(
                has
                        + "value version 3 [value@3(layout4)] is asked for: a codec whose layout changes needs a new"
                        + " version and a migration",
                refusal(
                        backend,
                        part,
                        new StateDescriptor(NAME, "string", "value@3(layout4)").migratedBy(new Renumber(3))));
        assertEquals(
                has + "text version 4 [text@4] is asked for: only versions of one codec can be migrated",
                refusal(backend, part, new StateDescriptor(NAME, "string", "text@4").migratedBy(new Renumber(4))));
        assertEquals(
                has
                        + "value version 4 [ttl(value@4(layout4))] is asked for: only versions of one codec can be"
                        + " migrated",
                refusal(
                        backend,
                        part,
                        new StateDescriptor(NAME, "string", "ttl(value@4(layout4))").migratedBy(new Renumber(4))));
        assertEquals(
                "state uid/state.x has key codec string version 1 in the checkpoint, but string version 2 [string@2]"
                        + " is asked for: keys can't be migrated, because their bytes decide key group, hash and order;"
                        + " keep the codec, or give the state another name",
                refusal(
                        backend,
                        part,
                        new StateDescriptor(NAME, "string@2", "value@4(layout4)").migratedBy(new Renumber(4))));
        assertEquals(Map.of("k1", value(3, 1)), entries(open(backend, part).valueTable(state(3))));
    }

    private String refusal(final StateBackend backend, final Part part, final StateDescriptor asked) {
        final KeyedStateStore store = open(backend, part);
        final String message = assertThrows(StateException.class, () -> store.valueTable(asked))
                .getMessage();
        assertEquals(
                Map.of("k1", value(3, 1)), entries(store.valueTable(state(3))), "a refusal leaves the state as it is");
        return message;
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldMigrateOnlyWhatWasRestored(final StateBackend backend) {
        final KeyedStateStore store = open(backend);
        put(store, state(1), 1, value(1, 1));

        final StateException e = assertThrows(StateException.class, () -> store.valueTable(migrated(2)));

        assertTrue(e.getMessage().contains(NAME), e::getMessage);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldBeOfNoUseWhenAMigrationHasFailed(final StateBackend backend) {
        final Part part = write(filled(backend));
        final KeyedStateStore store = open(backend, part);
        final AtomicInteger count = new AtomicInteger();
        final StateDescriptor failing = state(2).migratedBy(new Renumber(2) {
            @Override
            public int migrate(
                    final int fromVersion,
                    final DirectBuffer key,
                    final DirectBuffer value,
                    final MutableDirectBuffer target) {
                if (count.incrementAndGet() == KEYS / 2) {
                    throw new StateException("planned");
                }
                return super.migrate(fromVersion, key, value, target);
            }
        });

        assertEquals(
                "planned",
                assertThrows(StateException.class, () -> store.valueTable(failing))
                        .getMessage());

        for (final StateDescriptor state : List.of(failing, state(1), migrated(2))) {
            final StateException e = assertThrows(StateException.class, () -> store.valueTable(state));
            assertTrue(e.getMessage().contains("the migration of state " + NAME + " failed"), e::getMessage);
        }
        assertThrows(StateException.class, store::freeze);
        store.close();
        assertEquals(expected(2), entries(open(backend, part).valueTable(migrated(2))));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldKeepTheCodecOfTheKeysOfTimers(final StateBackend backend) {
        final KeyedStateStore store = filled(backend);
        for (final Part part : List.of(write(store), canonical(store))) {
            final KeyedStateStore restored = open(backend, part);

            final StateException e = assertThrows(StateException.class, () -> restored.timerTable(TIMERS, "string@2"));

            assertEquals(
                    "timers uid/timers has key codec string version 1 in the checkpoint, but string version 2"
                            + " [string@2] is asked for: keys can't be migrated, because their bytes decide key group,"
                            + " hash and order; keep the codec, or give the state another name",
                    e.getMessage());
            assertEquals(KEYS, restored.timerTable(TIMERS, "string").size());
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTakeTimersOfCheckpointsThatDoNotTellTheirKeys(final StateBackend backend) {
        final UnsafeBuffer entry = new UnsafeBuffer(new byte[StateFormat.timerEntryLength(1)]);
        StateFormat.putTimerEntry(entry, 0, 7, bytes("k"));
        final SegmentHandle segment = segments.segments().write(writer -> {
            writer.beginSection(StateFormat.TIMER_PREFIX + TIMERS, "");
            writer.entry(2, entry, 0, entry.capacity());
        });
        final KeyedStateStore old = open(backend, new Part(segment, List.of(), 0, GROUPS));
        final Part unclaimed = write(old);
        final KeyedStateStore asked = open(backend, unclaimed);
        assertEquals(1, asked.timerTable(TIMERS, "string").size());

        for (final Part part : List.of(write(asked), canonical(asked))) {
            assertThrows(StateException.class, () -> open(backend, part).timerTable(TIMERS, "long"));
            assertEquals(1, open(backend, part).timerTable(TIMERS, "string").size());
        }
        final SegmentHandle own = canonical(asked).own();
        try (SegmentReader reader = segments.segments().open(own)) {
            assertEquals("string", reader.sections().get(0).attributes());
        }
    }
}
