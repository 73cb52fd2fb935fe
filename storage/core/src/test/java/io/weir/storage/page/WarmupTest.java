package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.OpenFile;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateSegments;
import io.weir.storage.state.StateSegments.Part;
import io.weir.storage.state.StoreContext;
import io.weir.storage.state.ValueTable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class WarmupTest {
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "long", "long");
    private static final String TIMERS = "uid/timers";
    private static final int GROUPS = 16;
    private static final int KEYS = 20_000;

    private final StateSegments segments = new StateSegments();
    private final SharedSegments shared = segments.shared();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);

    private PageStateStore open() {
        return (PageStateStore) new PagesStateBackend().open(new StoreContext(GROUPS, 0, GROUPS, shared));
    }

    private Part written() {
        try (PageStateStore store = open()) {
            for (int i = 0; i < KEYS; i++) {
                put(store, i, i);
                store.timerTable(TIMERS, "bytes").set(i % GROUPS, i, key, 0, 8);
            }
            return segments.writeOwn(store.freeze());
        }
    }

    private void put(final PageStateStore store, final long number, final long content) {
        key.putLong(0, number);
        value.putLong(0, content);
        store.valueTable(STATE).put((int) (number % GROUPS), key, 0, 8, value, 0, 8);
    }

    private PageStateStore restored(final Part part) {
        final PageStateStore store = open();
        segments.restoreParts(store, List.of(part));
        return store;
    }

    private static void warmUp(final PageStateStore store) {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!store.isWarm()) {
            assertTrue(System.nanoTime() < deadline, "not warm after a minute");
            if (store.doWork() == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldBringEverythingIntoMemoryWhileTheTaskGoesOn() {
        final Part part = written();
        try (PageStateStore store = restored(part)) {
            final ValueTable table = store.valueTable(STATE);
            assertFalse(store.isWarm());
            long number = 0;
            while (!store.isWarm() && number < KEYS) {
                put(store, number, -number);
                number += 7;
                store.doWork();
            }
            warmUp(store);

            final long changed = number;
            table.forEach((keyGroup, entryKey, entryValue) -> {
                final long expected = entryKey.getLong(0);
                final boolean isChanged = expected < changed && expected % 7 == 0;
                assertEquals(isChanged ? -expected : expected, entryValue.getLong(0));
            });
            assertEquals(KEYS, table.size());
            assertEquals(KEYS, store.timerTable(TIMERS, "bytes").size());
            assertEquals(0, store.timerTable(TIMERS, "bytes").nextTime());
        }
    }

    @Test
    void shouldWriteWhatWasReadThoughAnotherGroupIsTouchedBetween() {
        final Part part;
        try (PageStateStore store = open()) {
            put(store, 1, 1);
            store.valueTable(STATE).put(0, key, 0, 0, value, 0, 8);
            part = segments.writeOwn(store.freeze());
        }
        try (PageStateStore store = restored(part)) {
            final ValueTable table = store.valueTable(STATE);
            final UnsafeBuffer view = new UnsafeBuffer(0, 0);
            assertTrue(table.get(0, key, 0, 0, view));
            key.putLong(0, 1);
            table.ahead(1, key, 0, 8);
            table.touch();
            value.putLong(0, 2);

            table.put(0, key, 0, 0, value, 0, 8);

            assertTrue(table.get(0, key, 0, 0, view));
            assertEquals(2, view.getLong(0));
            assertTrue(table.get(1, key, 0, 8, view));
            assertEquals(1, view.getLong(0));
        }
    }

    @Test
    void shouldFindDamageThatNobodyTouches() {
        final Part part = written();
        try (OpenFile file = shared.files().open(shared.path(part.shared().get(0)))) {
            final long middle = file.size() / 2;
            final ByteBuffer bytes = ByteBuffer.allocate(1);
            file.read(middle, bytes);
            file.write(middle, ByteBuffer.wrap(new byte[] {(byte) ~bytes.get(0)}));
        }
        try (PageStateStore store = restored(part)) {
            store.valueTable(STATE);

            final CorruptionException e = assertThrows(CorruptionException.class, () -> warmUp(store));

            assertTrue(e.getMessage().contains(part.shared().get(0).file()), e::getMessage);
        }
    }

    @Test
    void shouldCloseInTheMiddleOfIt() {
        final Part part = written();
        for (int steps = 0; steps < 40; steps++) {
            try (PageStateStore store = restored(part)) {
                store.valueTable(STATE);
                for (int i = 0; i < steps; i++) {
                    store.doWork();
                }
            }
        }
        try (PageStateStore store = restored(part)) {
            warmUp(store);
            assertEquals(KEYS, store.valueTable(STATE).size());
        }
    }
}
