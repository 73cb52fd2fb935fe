package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link StateBackend} does for savepoints. */
public abstract class SavepointStateContract {
    private static final int GROUPS = 16;
    private static final StateDescriptor COUNT = new StateDescriptor("uid/count", "string", "long");
    private static final String TIMERS = "uid/timers";
    private static final StateDescriptor OTHER = new StateDescriptor("other/count", "string", "long");
    private static final String OTHER_TIMERS = "other/timers";

    private final StateSegments segments = new StateSegments();
    private final List<KeyedStateStore> opened = new ArrayList<>();

    /**
     * The backend under test.
     *
     * @return a backend.
     */
    protected abstract StateBackend backend();

    @AfterEach
    void closeStores() {
        opened.forEach(KeyedStateStore::close);
    }

    private KeyedStateStore open() {
        final KeyedStateStore store = backend().open(new StoreContext(GROUPS, 0, GROUPS, segments.shared()));
        opened.add(store);
        return store;
    }

    private KeyedStateStore restored(final StateSegments.Part part) {
        final KeyedStateStore store = open();
        segments.restoreParts(store, List.of(part));
        return store;
    }

    private StateSegments.Part nativeForm(final KeyedStateStore store) {
        return segments.writeNative(store.freeze(), 0, GROUPS);
    }

    private static void put(final KeyedStateStore store, final int keyGroup, final String key, final String value) {
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        final UnsafeBuffer valueBytes = StateModel.bytes(value);
        store.valueTable(COUNT).put(keyGroup, keyBytes, 0, keyBytes.capacity(), valueBytes, 0, valueBytes.capacity());
        store.timerTable(TIMERS, "string").set(keyGroup, keyGroup, keyBytes, 0, keyBytes.capacity());
    }

    private static String get(final KeyedStateStore store, final int keyGroup, final String key) {
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        return store.valueTable(COUNT).get(keyGroup, keyBytes, 0, keyBytes.capacity(), view)
                ? view.getStringWithoutLengthAscii(0, view.capacity())
                : null;
    }

    @Test
    void shouldWriteAllOfItsStateForANativeSavepointAndGoOnFromItsOwnChain() {
        final KeyedStateStore store = open();
        put(store, 1, "old", "1");
        segments.writeOwn(store.freeze());
        put(store, 2, "new", "2");
        final StateSegments.Part savepoint = nativeForm(store);
        put(store, 3, "later", "3");

        final StateSegments.Part checkpoint = segments.writeOwn(store.freeze());

        final Set<SegmentHandle> rested = new HashSet<>(checkpoint.shared());
        assertTrue(savepoint.shared().stream().noneMatch(rested::contains), "a checkpoint rests on a savepoint");
        assertTrue(savepoint.shared().size() <= 1, () -> savepoint.shared().toString());
        final KeyedStateStore asOfTheSavepoint = restored(savepoint);
        assertEquals("1", get(asOfTheSavepoint, 1, "old"));
        assertEquals("2", get(asOfTheSavepoint, 2, "new"));
        assertEquals(4, asOfTheSavepoint.entryCount());
        final KeyedStateStore asOfTheCheckpoint = restored(checkpoint);
        assertEquals("1", get(asOfTheCheckpoint, 1, "old"));
        assertEquals("2", get(asOfTheCheckpoint, 2, "new"));
        assertEquals("3", get(asOfTheCheckpoint, 3, "later"));
        assertEquals(6, asOfTheCheckpoint.entryCount());
    }

    @Test
    void shouldWriteANativeSavepointOfAnEmptyStore() {
        final StateSegments.Part savepoint = nativeForm(open());

        assertEquals(0, restored(savepoint).entryCount());
    }

    @Test
    void shouldGoOnFromANativeSavepoint() {
        final KeyedStateStore store = open();
        put(store, 1, "old", "1");
        final KeyedStateStore restored = restored(nativeForm(store));
        put(restored, 2, "new", "2");

        final KeyedStateStore again = restored(segments.writeOwn(restored.freeze()));

        assertEquals("1", get(again, 1, "old"));
        assertEquals("2", get(again, 2, "new"));
        assertEquals(4, again.entryCount());
        assertEquals(4, restored(nativeForm(restored)).entryCount());
    }

    @Test
    void shouldWriteWhatAnEarlierFreezeDidNotForANativeSavepoint() {
        final KeyedStateStore store = open();
        put(store, 1, "old", "1");
        store.freeze().close();
        put(store, 2, "new", "2");

        assertEquals(4, restored(nativeForm(store)).entryCount());
    }

    private static void putOther(final KeyedStateStore store, final int keyGroup, final String key) {
        final UnsafeBuffer bytes = StateModel.bytes(key);
        store.valueTable(OTHER).put(keyGroup, bytes, 0, bytes.capacity(), bytes, 0, bytes.capacity());
        store.timerTable(OTHER_TIMERS, "string").set(keyGroup, 1, bytes, 0, bytes.capacity());
    }

    private List<StateSegments.Part> allForms(final KeyedStateStore store) {
        return List.of(
                segments.writeOwn(store.freeze(), 0, GROUPS),
                nativeForm(store),
                new StateSegments.Part(segments.write(store.freeze()), List.of(), 0, GROUPS));
    }

    private KeyedStateStore restoredOnly(final StateSegments.Part part, final String uid) {
        final KeyedStateStore store = open();
        restoreOnly(store, part, uid);
        return store;
    }

    private void restoreOnly(final KeyedStateStore store, final StateSegments.Part part, final String uid) {
        store.restoreShared(
                part.shared(), part.firstKeyGroup(), part.endKeyGroup(), table -> table.startsWith(uid + "/"));
        try (SegmentReader reader = segments.open(part.own())) {
            store.restore(reader, table -> table.startsWith(uid + "/"));
        }
    }

    @Test
    void shouldRestoreSomeTablesAndNeverSeeTheOthersAgain() {
        final KeyedStateStore store = open();
        put(store, 1, "mine", "1");
        segments.writeOwn(store.freeze());
        putOther(store, 2, "theirs");
        for (final StateSegments.Part part : allForms(store)) {
            final KeyedStateStore mine = restoredOnly(part, "uid");

            assertEquals(List.of("uid/count", "uid/timers"), mine.unclaimed());
            assertEquals("1", get(mine, 1, "mine"));
            assertEquals(2, mine.entryCount());
            for (final StateSegments.Part next : allForms(mine)) {
                final KeyedStateStore again = restored(next);
                assertEquals("1", get(again, 1, "mine"));
                assertEquals(2, again.entryCount());
                assertEquals(List.of("uid/timers"), again.unclaimed());
            }
        }
    }

    @Test
    void shouldTakeTablesOfTheSameKeyGroupsFromSeveralTasks() {
        final KeyedStateStore first = open();
        put(first, 1, "a", "1");
        putOther(first, 1, "not this");
        final KeyedStateStore second = open();
        put(second, 1, "not this", "2");
        putOther(second, 1, "b");
        final List<StateSegments.Part> firsts = allForms(first);
        final List<StateSegments.Part> seconds = allForms(second);
        for (int form = 0; form < firsts.size(); form++) {
            final KeyedStateStore both = open();
            restoreOnly(both, firsts.get(form), "uid");
            restoreOnly(both, seconds.get(form), "other");

            assertEquals("1", get(both, 1, "a"));
            putOther(both, 3, "c");
            assertEquals(6, both.entryCount());
            for (final StateSegments.Part next : allForms(both)) {
                final KeyedStateStore again = restored(next);
                assertEquals("1", get(again, 1, "a"));
                assertEquals(2, again.valueTable(OTHER).size());
                assertEquals(2, again.timerTable(OTHER_TIMERS, "string").size());
                assertEquals(6, again.entryCount());
            }
        }
    }

    @Test
    void shouldDropWhatNobodyClaims() {
        final KeyedStateStore store = open();
        put(store, 1, "mine", "1");
        putOther(store, 2, "theirs");
        for (final StateSegments.Part part : allForms(store)) {
            final KeyedStateStore mine = restored(part);
            assertEquals("1", get(mine, 1, "mine"));
            assertEquals(List.of("other/count", "other/timers", "uid/timers"), mine.unclaimed());
            assertEquals(1, mine.timerTable(TIMERS, "string").size());

            mine.dropUnclaimed();

            assertEquals(List.of(), mine.unclaimed());
            assertEquals(2, mine.entryCount());
            for (final StateSegments.Part next : allForms(mine)) {
                final KeyedStateStore again = restored(next);
                assertEquals(List.of("uid/count", "uid/timers"), again.unclaimed());
                assertEquals(2, again.entryCount());
            }
        }
    }

    @Test
    void shouldMakeADroppedTableAnewWithOtherCodecs() {
        final KeyedStateStore store = open();
        put(store, 1, "mine", "1");
        putOther(store, 2, "theirs");
        for (final StateSegments.Part part : allForms(store)) {
            final KeyedStateStore mine = restored(part);
            get(mine, 1, "mine");
            mine.timerTable(TIMERS, "string");
            mine.dropUnclaimed();
            final UnsafeBuffer bytes = StateModel.bytes("new");

            final ValueTable anew = mine.valueTable(new StateDescriptor(OTHER.name(), "int", "int"));
            assertEquals(0, anew.size());
            anew.put(2, bytes, 0, 3, bytes, 0, 3);
            mine.timerTable(OTHER_TIMERS, "int").set(2, 5, bytes, 0, 3);

            assertEquals(4, mine.entryCount());
            for (final StateSegments.Part next : allForms(mine)) {
                final KeyedStateStore again = restored(next);
                assertEquals(
                        1,
                        again.valueTable(new StateDescriptor(OTHER.name(), "int", "int"))
                                .size());
                assertEquals(1, again.timerTable(OTHER_TIMERS, "int").size());
                assertEquals("1", get(again, 1, "mine"));
                assertEquals(4, again.entryCount());
            }
        }
    }

    @Test
    void shouldAgreeWithAPlainModelWhileTablesMoveBetweenTasks() {
        for (long seed = 1; seed <= 40; seed++) {
            try (MovedTablesRun run = new MovedTablesRun(backend(), seed)) {
                run.run();
            } catch (final AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
