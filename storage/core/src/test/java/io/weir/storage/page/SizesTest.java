package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.TimerTable;
import io.weir.storage.state.ValueTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys and values of every length, few and many key groups, a scan of what changes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SizesTest {
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "bytes", "bytes");
    private static final int LONGEST = 2100;

    private final FolderSegments segments = new FolderSegments(new MemoryFileStore());
    private final UnsafeBuffer found = new UnsafeBuffer(0, 0);

    private static UnsafeBuffer bytes(final int length, final int seed) {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return new UnsafeBuffer(bytes);
    }

    private void assertHas(final ValueTable table, final int group, final UnsafeBuffer key, final DirectBuffer value) {
        assertTrue(table.get(group, key, 0, key.capacity(), found), () -> "key of " + key.capacity());
        assertEquals(value.capacity(), found.capacity(), () -> "key of " + key.capacity());
        assertTrue(
                KeyBytes.equal(value, 0, found, 0, value.capacity()),
                () -> "key of " + key.capacity() + ", value of " + value.capacity());
    }

    private static void put(final ValueTable table, final int group, final UnsafeBuffer key, final UnsafeBuffer value) {
        table.put(group, key, 0, key.capacity(), value, 0, value.capacity());
    }

    @Test
    void shouldKeepKeysAndValuesOfEveryLength() {
        // given
        final List<SegmentHandle> chain;
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            final ValueTable table = store.valueTable(STATE);
            final TimerTable timers = store.timerTable("uid/timers", "bytes");

            // when every key once, then with a value of another length
            for (int length = 0; length <= LONGEST; length++) {
                put(table, 0, bytes(length, length), bytes(LONGEST - length, 1));
                assertTrue(timers.set(0, length / 10, bytes(length, length), 0, length));
            }
            for (int length = 0; length <= LONGEST; length++) {
                assertHas(table, 0, bytes(length, length), bytes(LONGEST - length, 1));
                put(table, 0, bytes(length, length), bytes(length * 7 % LONGEST, length));
            }
            chain = FolderSegments.write(1, store.freeze());
        }

        // then
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            store.restoreShared(chain, 0, 1);
            final ValueTable table = store.valueTable(STATE);
            assertEquals(LONGEST + 1, table.size());
            for (int length = 0; length <= LONGEST; length++) {
                assertHas(table, 0, bytes(length, length), bytes(length * 7 % LONGEST, length));
            }
            final TimerTable timers = store.timerTable("uid/timers", "bytes");
            final Map<Integer, Long> fired = new HashMap<>();
            while (timers.pollDue(Long.MAX_VALUE - 1, (group, time, key) -> fired.put(key.capacity(), time))) {}
            assertEquals(LONGEST + 1, fired.size());
            fired.forEach((length, time) -> assertEquals(length / 10, time.intValue()));
        }
    }

    @Test
    void shouldKeepLongValuesAroundTheLimitsOfOverflowPages() {
        // given
        final List<Integer> lengths = new ArrayList<>();
        for (int k = 1; k <= 3; k++) {
            for (int around = -18; around <= 3; around++) {
                lengths.add(k * OverflowPages.CAPACITY + around);
            }
        }
        lengths.addAll(List.of(64 << 10, (64 << 10) + 1, (1 << 20) - 1, 1 << 20, 16 << 20, (16 << 20) + 5));
        final List<SegmentHandle> chain;
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            final ValueTable table = store.valueTable(STATE);

            // when
            for (final int length : lengths) {
                put(table, 0, bytes(8, length), bytes(length, length));
            }
            for (final int length : lengths) {
                if (length <= 1 << 20) {
                    put(table, 0, bytes(length, length), bytes(9, length));
                }
            }
            chain = FolderSegments.write(1, store.freeze());
        }

        // then
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            store.restoreShared(chain, 0, 1);
            final ValueTable table = store.valueTable(STATE);
            for (final int length : lengths) {
                assertHas(table, 0, bytes(8, length), bytes(length, length));
                if (length <= 1 << 20) {
                    assertHas(table, 0, bytes(length, length), bytes(9, length));
                    assertTrue(table.remove(0, bytes(length, length), 0, length));
                    assertFalse(table.get(0, bytes(length, length), 0, length, found));
                }
            }
        }
    }

    @Test
    void shouldServeManyKeyGroups() {
        // given
        final int groups = 32_768;
        final List<SegmentHandle> chain;
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(groups))) {
            final ValueTable table = store.valueTable(STATE);

            // when
            for (int group = 0; group < groups; group += 7) {
                put(table, group, bytes(8, group), bytes(20, group));
                store.timerTable("uid/timers", "bytes").set(group, group % 100, bytes(8, group), 0, 8);
            }
            chain = FolderSegments.write(1, store.freeze());
        }

        // then
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(groups))) {
            store.restoreShared(chain, 0, groups);
            final ValueTable table = store.valueTable(STATE);
            for (int group = 0; group < groups; group++) {
                if (group % 7 == 0) {
                    assertHas(table, group, bytes(8, group), bytes(20, group));
                } else if (group % 31 == 0) {
                    assertFalse(table.get(group, bytes(8, group), 0, 8, found));
                }
            }
            assertEquals(groups / 7 + 1, store.timerTable("uid/timers", "bytes").size());
            assertEquals(0, store.timerTable("uid/timers", "bytes").nextTime());
        }
    }

    @Test
    void shouldScanEachEntryThatStaysOnce() {
        for (int seed = 1; seed <= 20; seed++) {
            scanWhileChanging(seed);
        }
    }

    private void scanWhileChanging(final int seed) {
        // given entries that stay, of even numbers
        final Random random = new Random(seed);
        final int keys = 3000;
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(2))) {
            final ValueTable table = store.valueTable(STATE);
            for (int i = 0; i < keys; i += 2) {
                put(table, i / 2 % 2, key(i), bytes(random.nextInt(60), i));
            }
            final int[] visits = new int[keys];

            // when others come and go, in and between the slices of a scan
            long cursor = 0;
            while (cursor != ValueTable.SCAN_END) {
                cursor = table.scan(cursor, 1 + random.nextInt(50), (group, key, value) -> {
                    visits[key.getInt(0)]++;
                    change(table, random, keys);
                });
                for (int i = random.nextInt(400); i > 0; i--) {
                    change(table, random, keys);
                }
            }

            // then
            for (int i = 0; i < keys; i += 2) {
                assertEquals(1, visits[i], "seed " + seed + ", key " + i);
            }
        }
    }

    private static UnsafeBuffer key(final int number) {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[4]);
        key.putInt(0, number);
        return key;
    }

    private static void change(final ValueTable table, final Random random, final int keys) {
        final int number = random.nextInt(keys / 2) * 2 + 1;
        final int group = number / 2 % 2;
        if (random.nextBoolean()) {
            put(table, group, key(number), bytes(random.nextInt(600), number));
        } else {
            table.remove(group, key(number), 0, 4);
        }
    }
}
