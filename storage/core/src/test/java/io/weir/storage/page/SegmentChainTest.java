package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateSegments.Part;
import io.weir.storage.state.StoreContext;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class SegmentChainTest {
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "long", "long");
    private static final int KEYS = 2_000;

    private final FailingSegments segments = new FailingSegments();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);

    private KeyedStateStore open(final PagesStateBackend backend) {
        return backend.open(new StoreContext(16, 0, 16, segments.shared()));
    }

    private void putAll(final KeyedStateStore store, final long number) {
        for (int i = 0; i < KEYS; i++) {
            key.putLong(0, i);
            value.putLong(0, number);
            store.valueTable(STATE).put(i % 16, key, 0, 8, value, 0, 8);
        }
    }

    private void assertAll(final Part part, final long number) {
        try (KeyedStateStore restored = open(new PagesStateBackend())) {
            segments.segments().restoreParts(restored, List.of(part));
            assertEquals(KEYS, restored.valueTable(STATE).size());
            restored.valueTable(STATE)
                    .forEach((keyGroup, entryKey, entryValue) -> assertEquals(number, entryValue.getLong(0)));
        }
    }

    @Test
    void shouldMergeChangesThatOutgrowTheBase() {
        final List<Integer> lengths = new ArrayList<>();
        try (KeyedStateStore store = open(new PagesStateBackend().mergeFactor(2))) {
            Part part = null;
            for (int round = 0; round < 12; round++) {
                putAll(store, round);
                part = segments.segments().writeOwn(store.freeze());
                lengths.add(part.shared().size());
            }

            assertTrue(lengths.contains(3), () -> "chains of " + lengths);
            assertTrue(lengths.lastIndexOf(1) > 1, () -> "chains of " + lengths);
            assertAll(part, 11);
        }
    }

    @Test
    void shouldRestOnTheChainAsItIsWhereItCanNotBeMerged() {
        segments.failAt("merged");
        try (KeyedStateStore store = open(new PagesStateBackend().mergeFactor(0.5))) {
            Part part = null;
            for (int round = 0; round < 5; round++) {
                putAll(store, round);
                part = segments.segments().writeOwn(store.freeze());
            }
            assertEquals(5, part.shared().size());
            assertAll(part, 4);

            segments.failAt(null);
            putAll(store, 5);
            part = segments.segments().writeOwn(store.freeze());

            assertEquals(1, part.shared().size());
            assertAll(part, 5);
        }
    }

    @Test
    void shouldWriteNothingWhenNothingChanged() {
        try (KeyedStateStore store = open(new PagesStateBackend())) {
            putAll(store, 1);
            final Part first = segments.segments().writeOwn(store.freeze());

            final Part second = segments.segments().writeOwn(store.freeze());

            assertEquals(first.shared(), second.shared());
        }
    }
}
