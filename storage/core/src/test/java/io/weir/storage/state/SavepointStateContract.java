package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.SegmentHandle;
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
}
