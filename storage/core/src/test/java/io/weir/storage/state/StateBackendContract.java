package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link StateBackend} does. */
public abstract class StateBackendContract {
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
        return open(0, GROUPS);
    }

    private KeyedStateStore open(final int first, final int end) {
        final KeyedStateStore store = backend().open(new StoreContext(GROUPS, first, end, segments.shared()));
        opened.add(store);
        return store;
    }

    private KeyedStateStore restored(final SegmentHandle... handles) {
        final KeyedStateStore store = open();
        segments.restore(store, List.of(handles));
        return store;
    }

    private static void put(final ValueTable table, final int keyGroup, final String key, final String value) {
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        final UnsafeBuffer valueBytes = StateModel.bytes(value);
        table.put(keyGroup, keyBytes, 0, keyBytes.capacity(), valueBytes, 0, valueBytes.capacity());
    }

    private static String get(final ValueTable table, final int keyGroup, final String key) {
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        return table.get(keyGroup, keyBytes, 0, keyBytes.capacity(), view)
                ? view.getStringWithoutLengthAscii(0, view.capacity())
                : null;
    }

    private static boolean remove(final ValueTable table, final int keyGroup, final String key) {
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        return table.remove(keyGroup, keyBytes, 0, keyBytes.capacity());
    }

    private static boolean set(final TimerTable table, final int keyGroup, final long time, final String key) {
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        return table.set(keyGroup, time, keyBytes, 0, keyBytes.capacity());
    }

    private static List<String> fire(final TimerTable table, final long now) {
        final List<String> fired = new ArrayList<>();
        while (table.pollDue(now, (keyGroup, time, key) -> fired.add(time + "=" + text(key)))) {
            assertFalse(fired.size() > 1000, "timers fire without end");
        }
        return fired;
    }

    private static String text(final DirectBuffer view) {
        return view.getStringWithoutLengthAscii(0, view.capacity());
    }

    @Test
    void shouldAddReplaceAndRemoveEntries() {
        final ValueTable table = open().valueTable(COUNT);

        put(table, 3, "key", "one");
        assertEquals("one", get(table, 3, "key"));
        put(table, 3, "key", "two");
        assertEquals("two", get(table, 3, "key"));
        put(table, 3, "key", "a longer one");
        assertEquals("a longer one", get(table, 3, "key"));
        put(table, 3, "key", "");
        assertEquals("", get(table, 3, "key"));
        assertEquals(1, table.size());

        assertTrue(remove(table, 3, "key"));
        assertFalse(remove(table, 3, "key"));
        assertEquals(null, get(table, 3, "key"));
        assertEquals(0, table.size());
    }

    @Test
    void shouldKeepKeyGroupsAndStatesApart() {
        final KeyedStateStore store = open();
        final ValueTable count = store.valueTable(COUNT);
        final ValueTable other = store.valueTable(new StateDescriptor("uid/other", "string", "long"));

        put(count, 1, "key", "in 1");
        put(count, 2, "key", "in 2");
        put(other, 1, "key", "other");

        assertEquals("in 1", get(count, 1, "key"));
        assertEquals("in 2", get(count, 2, "key"));
        assertEquals("other", get(other, 1, "key"));
        assertEquals(null, get(count, 3, "key"));
        assertEquals(3, store.entryCount());
    }

    @Test
    void shouldTellKeysOfEqualHashAndPrefixApart() {
        final ValueTable table = open().valueTable(COUNT);
        put(table, 0, "", "empty");
        put(table, 0, "a", "a");
        put(table, 0, "ab", "ab");
        put(table, 0, "abcdefgh", "8");
        put(table, 0, "abcdefghi", "9");
        for (int i = 0; i < 10_000; i++) {
            put(table, 0, "k" + i, "v" + i);
        }

        assertEquals("empty", get(table, 0, ""));
        assertEquals("a", get(table, 0, "a"));
        assertEquals("ab", get(table, 0, "ab"));
        assertEquals("8", get(table, 0, "abcdefgh"));
        assertEquals("9", get(table, 0, "abcdefghi"));
        for (int i = 0; i < 10_000; i += 2) {
            assertTrue(remove(table, 0, "k" + i));
        }
        for (int i = 0; i < 10_000; i++) {
            assertEquals(i % 2 == 0 ? null : "v" + i, get(table, 0, "k" + i));
        }
        assertEquals(5_005, table.size());
    }

    @Test
    void shouldTakeKeysAndValuesFromAnyPlaceAndLargeOnes() {
        final ValueTable table = open().valueTable(COUNT);
        final String large = "v".repeat(100_000);
        final UnsafeBuffer input = StateModel.bytes("..key.." + large + "..");

        table.put(5, input, 2, 3, input, 7, large.length());

        assertEquals(large, get(table, 5, "key"));
    }

    @Test
    void shouldVisitAllEntries() {
        final ValueTable table = open().valueTable(COUNT);
        final TreeMap<String, String> expected = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            put(table, i % GROUPS, "k" + i, "v" + i);
            expected.put(i % GROUPS + " k" + i, "v" + i);
        }

        final TreeMap<String, String> found = new TreeMap<>();
        table.forEach((keyGroup, key, value) -> found.put(keyGroup + " " + text(key), text(value)));

        assertEquals(expected, found);
    }

    @Test
    void shouldScanEachEntryOnceInSlices() {
        final ValueTable table = open().valueTable(COUNT);
        final TreeMap<String, Integer> expected = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            put(table, i % GROUPS, "k" + i, "v" + i);
            expected.put(i % GROUPS + " k" + i + "=v" + i, 1);
        }

        final TreeMap<String, Integer> seen = new TreeMap<>();
        int most = 0;
        for (long cursor = ValueTable.SCAN_BEGIN; cursor != ValueTable.SCAN_END; ) {
            final int before = seen.size();
            cursor = table.scan(
                    cursor,
                    100,
                    (keyGroup, key, value) ->
                            seen.merge(keyGroup + " " + text(key) + '=' + text(value), 1, Integer::sum));
            most = Math.max(most, seen.size() - before);
        }

        assertEquals(expected, seen);
        assertTrue(most < 1_000, "one slice of about 100 visited " + most);
    }

    @Test
    void shouldScanAnEmptyTableToItsEnd() {
        final ValueTable table = open().valueTable(COUNT);

        int calls = 0;
        for (long cursor = ValueTable.SCAN_BEGIN; cursor != ValueTable.SCAN_END; calls++) {
            cursor = table.scan(cursor, 1, (keyGroup, key, value) -> fail("there is nothing"));
            assertTrue(calls < 1_000, "no end");
        }
    }

    @Test
    void shouldScanWhatStaysExactlyOnceWhileTheTableChanges() {
        for (long seed = 1; seed <= 30; seed++) {
            final Random random = new Random(seed);
            final ValueTable table = open().valueTable(COUNT);
            final int stayingCount = random.nextInt(300);
            for (int i = 0; i < stayingCount; i++) {
                put(table, i % GROUPS, "stays" + i, "v");
                put(table, i % GROUPS, "goes" + i, "v");
            }
            final TreeMap<String, Integer> seen = new TreeMap<>();
            final int[] come = {0};
            for (long cursor = ValueTable.SCAN_BEGIN; cursor != ValueTable.SCAN_END; ) {
                cursor = table.scan(cursor, 1 + random.nextInt(20), (keyGroup, key, value) -> {
                    final String name = text(key);
                    seen.merge(name, 1, Integer::sum);
                    if (name.startsWith("goes")) {
                        assertTrue(table.remove(keyGroup, key, 0, key.capacity()), name);
                    } else if (random.nextBoolean()) {
                        put(table, keyGroup, name, "v".repeat(random.nextInt(50)));
                    }
                    for (int i = random.nextInt(8); i > 0 && come[0] < 5_000; i--, come[0]++) {
                        put(table, random.nextInt(GROUPS), "comes" + come[0], "v");
                    }
                });
                remove(table, random.nextInt(GROUPS), "comes" + random.nextInt(1 + come[0]));
            }

            for (int i = 0; i < stayingCount; i++) {
                assertEquals(1, seen.get("stays" + i), "seed " + seed + ": stays" + i);
                assertEquals(null, get(table, i % GROUPS, "goes" + i), "seed " + seed);
            }
            seen.forEach((name, times) -> assertEquals(1, times, name));
        }
    }

    @Test
    void shouldKeepWhatHasNotExpiredAndAllOrNothingOfWhatHas() {
        final StateDescriptor expiring =
                new StateDescriptor("uid/expiring", "string", "text").expiringBy(new StateDescriptor.Expiry(4, 100));
        final KeyedStateStore store = open();
        final ValueTable table = store.valueTable(expiring);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[16]);
        for (int i = 0; i < 200; i++) {
            final UnsafeBuffer key = StateModel.bytes("k" + i);
            value.putLong(4, i, ByteOrder.LITTLE_ENDIAN);
            table.put(i % GROUPS, key, 0, key.capacity(), value, 0, 16);
        }

        final ValueTable restored = restored(segments.write(store.freeze(150))).valueTable(expiring);

        for (int i = 51; i < 200; i++) {
            assertTrue(get(restored, i % GROUPS, "k" + i) != null, "k" + i + " has not expired");
        }
        assertTrue(restored.size() == 149 || restored.size() == 200, "there are " + restored.size());
        assertEquals(
                200,
                restored(segments.write(store.freeze())).valueTable(expiring).size());
        assertEquals(200, table.size());
    }

    @Test
    void shouldTakeTheExpiryThatWasAskedForLast() {
        final KeyedStateStore store = open();
        final ValueTable table = store.valueTable(
                new StateDescriptor("uid/count", "string", "long").expiringBy(new StateDescriptor.Expiry(0, 1)));
        put(table, 1, "k", "8 bytes.");

        assertSame(table, store.valueTable(COUNT));

        assertEquals(
                1,
                restored(segments.write(store.freeze(Long.MAX_VALUE)))
                        .valueTable(COUNT)
                        .size());
    }

    @Test
    void shouldRefuseKeyGroupsThatAreNotOwned() {
        final KeyedStateStore store = open(4, 8);
        final ValueTable table = store.valueTable(COUNT);
        final TimerTable timers = store.timerTable(TIMERS, "bytes");

        for (final int foreign : new int[] {3, 8, -1}) {
            final StateException e = assertThrows(StateException.class, () -> put(table, foreign, "k", "v"));
            assertTrue(e.getMessage().contains("uid/count"), e::getMessage);
            assertThrows(StateException.class, () -> get(table, foreign, "k"));
            assertThrows(StateException.class, () -> set(timers, foreign, 1, "k"));
        }
        assertThrows(IllegalArgumentException.class, () -> open(0, GROUPS + 1));
        assertThrows(IllegalArgumentException.class, () -> open(-1, 3));
        assertThrows(IllegalArgumentException.class, () -> open(4, 3));
    }

    @Test
    void shouldHandOutOneTablePerName() {
        final KeyedStateStore store = open();

        assertSame(store.valueTable(COUNT), store.valueTable(COUNT));
        assertSame(store.timerTable(TIMERS, "bytes"), store.timerTable(TIMERS, "bytes"));
    }

    @Test
    void shouldNameTheStateAndBothCodecsWhenTheyDiffer() {
        final KeyedStateStore store = open();
        put(store.valueTable(COUNT), 1, "k", "v");
        final SegmentHandle segment = segments.write(store.freeze());
        final StateDescriptor changed = new StateDescriptor("uid/count", "string", "double");

        for (final KeyedStateStore tried : List.of(store, restored(segment))) {
            final StateException e = assertThrows(StateException.class, () -> tried.valueTable(changed));
            assertTrue(e.getMessage().contains("uid/count"), e::getMessage);
            assertTrue(e.getMessage().contains("long"), e::getMessage);
            assertTrue(e.getMessage().contains("double"), e::getMessage);
        }
    }

    @Test
    void shouldRefuseSegmentsThatDisagreeOnCodecs() {
        final KeyedStateStore one = open();
        one.valueTable(COUNT);
        final KeyedStateStore two = open();
        two.valueTable(new StateDescriptor("uid/count", "int", "long"));
        final SegmentHandle first = segments.write(one.freeze());
        final SegmentHandle second = segments.write(two.freeze());

        assertThrows(StateException.class, () -> restored(first, second));
    }

    @Test
    void shouldFireTimersInOrderOfTimeAndUnsignedKey() {
        final TimerTable timers = open().timerTable(TIMERS, "bytes");
        assertEquals(TimerTable.NONE, timers.nextTime());
        assertTrue(set(timers, 3, 20, "b"));
        assertTrue(set(timers, 9, 20, "a"));
        assertTrue(set(timers, 1, -5, "z"));
        assertTrue(set(timers, 2, 20, "\u00ff"));
        assertTrue(set(timers, 4, 20, "aa"));
        assertTrue(set(timers, 4, 20, ""));
        assertTrue(set(timers, 4, 30, "a"));
        assertFalse(set(timers, 4, 30, "a"));

        assertEquals(7, timers.size());
        assertEquals(-5, timers.nextTime());
        assertEquals(List.of(), fire(timers, -6));
        assertEquals(List.of("-5=z"), fire(timers, -5));
        assertEquals(List.of("20=", "20=a", "20=aa", "20=b", "20=?"), replaceHigh(fire(timers, 29)));
        assertEquals(30, timers.nextTime());
        assertEquals(List.of("30=a"), fire(timers, Long.MAX_VALUE));
        assertEquals(TimerTable.NONE, timers.nextTime());
        assertEquals(0, timers.size());
    }

    private static List<String> replaceHigh(final List<String> texts) {
        return texts.stream().map(text -> text.replaceAll("[^ -~]", "?")).toList();
    }

    @Test
    void shouldCancelTimers() {
        final TimerTable timers = open().timerTable(TIMERS, "bytes");
        set(timers, 1, 10, "a");
        set(timers, 1, 20, "a");
        final UnsafeBuffer key = StateModel.bytes("a");

        assertTrue(timers.cancel(1, 10, key, 0, 1));
        assertFalse(timers.cancel(1, 10, key, 0, 1));
        assertFalse(timers.cancel(2, 20, key, 0, 1));

        assertEquals(20, timers.nextTime());
        assertEquals(1, timers.size());
    }

    @Test
    void shouldLetAHandlerSetAndCancelTimers() {
        final TimerTable timers = open().timerTable(TIMERS, "bytes");
        set(timers, 1, 10, "a");
        set(timers, 1, 11, "b");
        final List<String> fired = new ArrayList<>();

        while (timers.pollDue(50, (keyGroup, time, key) -> {
            fired.add(time + "=" + text(key));
            if (time == 10) {
                set(timers, 1, 12, "from the handler");
                timers.cancel(1, 11, StateModel.bytes("b"), 0, 1);
            }
        })) {
            assertTrue(fired.size() < 10);
        }

        assertEquals(List.of("10=a", "12=from the handler"), fired);
    }

    @Test
    void shouldNotSetATimerForNever() {
        final TimerTable timers = open().timerTable(TIMERS, "bytes");

        assertThrows(IllegalArgumentException.class, () -> set(timers, 1, TimerTable.NONE, "a"));
    }

    @Test
    void shouldRestoreWhatWasFrozenAndNotWhatCameLater() {
        final KeyedStateStore store = open();
        final ValueTable table = store.valueTable(COUNT);
        final TimerTable timers = store.timerTable(TIMERS, "bytes");
        put(table, 1, "changed", "old");
        put(table, 2, "removed", "old");
        put(table, 3, "resized", "old");
        set(timers, 1, 10, "fired");
        set(timers, 2, 20, "cancelled");

        final FrozenState frozen = store.freeze();
        put(table, 1, "changed", "new");
        remove(table, 2, "removed");
        put(table, 3, "resized", "longer than before");
        put(table, 4, "added", "new");
        fire(timers, 10);
        timers.cancel(2, 20, StateModel.bytes("cancelled"), 0, 9);
        set(timers, 3, 30, "added");
        final KeyedStateStore restored = restored(segments.write(frozen));

        final ValueTable old = restored.valueTable(COUNT);
        assertEquals("old", get(old, 1, "changed"));
        assertEquals("old", get(old, 2, "removed"));
        assertEquals("old", get(old, 3, "resized"));
        assertEquals(3, old.size());
        assertEquals(List.of("10=fired", "20=cancelled"), fire(restored.timerTable(TIMERS, "bytes"), Long.MAX_VALUE));
        assertEquals("new", get(table, 1, "changed"));
        assertEquals(3, table.size());
    }

    @Test
    void shouldRestoreFromItsOwnFormAgainAndAgain() {
        KeyedStateStore store = open();
        for (int round = 0; round < 5; round++) {
            put(store.valueTable(COUNT), round, "k" + round, "v");
            put(store.valueTable(COUNT), 9, "every", "round " + round);
            final StateSegments.Part first = segments.writeOwn(store.freeze());
            remove(store.valueTable(COUNT), round, "k" + (round - 1));
            set(store.timerTable(TIMERS, "bytes"), 1, round, "t");
            store.freeze().close();
            final StateSegments.Part second = segments.writeOwn(store.freeze());
            final KeyedStateStore older = open();
            segments.restoreParts(older, List.of(first));
            final KeyedStateStore newer = open();
            segments.restoreParts(newer, List.of(second));

            assertEquals("v", get(older.valueTable(COUNT), round, "k" + round));
            assertEquals(round, older.timerTable(TIMERS, "bytes").size());
            assertEquals("round " + round, get(newer.valueTable(COUNT), 9, "every"));
            assertEquals(round + 1, newer.timerTable(TIMERS, "bytes").size());
            store = newer;
        }
    }

    @Test
    void shouldFreezeAgainWhileAnEarlierFreezeIsUnwritten() {
        final KeyedStateStore store = open();
        final ValueTable table = store.valueTable(COUNT);
        put(table, 1, "k", "1");
        final FrozenState first = store.freeze();
        put(table, 1, "k", "2");
        final FrozenState second = store.freeze();
        put(table, 1, "k", "3");

        final SegmentHandle firstSegment = segments.write(first);
        final SegmentHandle secondSegment = segments.write(second);
        first.close();

        assertEquals("1", get(restored(firstSegment).valueTable(COUNT), 1, "k"));
        assertEquals("2", get(restored(secondSegment).valueTable(COUNT), 1, "k"));
    }

    @Test
    void shouldWriteAFrozenStateWhileTheTaskGoesOn() throws Exception {
        final KeyedStateStore store = open();
        final ValueTable table = store.valueTable(COUNT);
        for (int i = 0; i < 5_000; i++) {
            put(table, i % GROUPS, "k" + i, "before");
        }
        final FrozenState frozen = store.freeze();
        final AtomicReference<SegmentHandle> written = new AtomicReference<>();
        final Thread writer = new Thread(() -> written.set(segments.write(frozen)));
        writer.start();
        int round = 0;
        do {
            for (int i = 0; i < 5_000; i++) {
                put(table, i % GROUPS, "k" + i, round % 2 == 0 ? "after!" : "another length");
            }
            round++;
        } while (writer.isAlive());
        writer.join();

        final ValueTable restored = restored(written.get()).valueTable(COUNT);
        assertEquals(5_000, restored.size());
        restored.forEach((keyGroup, key, value) -> assertEquals("before", text(value)));
    }

    @Test
    void shouldWriteTheSameStateAgainAfterARestore() {
        final KeyedStateStore store = open();
        put(store.valueTable(COUNT), 1, "k", "v");
        store.valueTable(new StateDescriptor("uid/empty", "a:b", "c"));
        set(store.timerTable(TIMERS, "bytes"), 2, 5, "t");
        final SegmentHandle first = segments.write(store.freeze());

        final SegmentHandle second = segments.write(restored(first).freeze());

        assertEquals(first.checksum(), second.checksum());
        assertEquals(first.length(), second.length());
    }

    @Test
    void shouldWriteTheCanonicalForm() {
        final KeyedStateStore store = open();
        put(store.valueTable(COUNT), 7, "key", "value");
        set(store.timerTable(TIMERS, "bytes"), 9, 0x0102, "t");
        final SegmentHandle segment = segments.write(store.freeze());

        final List<String> entries = new ArrayList<>();
        try (SegmentReader reader = segments.open(segment)) {
            assertEquals(
                    List.of(
                            new SegmentReader.Section("value/uid/count", "6:stringlong", 1),
                            new SegmentReader.Section("timer/uid/timers", "bytes", 1)),
                    reader.sections());
            reader.forEach("value/uid/count", (keyGroup, buffer, offset, length) -> {
                assertEquals(3, buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN));
                entries.add(keyGroup + " " + buffer.getStringWithoutLengthAscii(offset + 4, length - 4));
            });
            reader.forEach("timer/uid/timers", (keyGroup, buffer, offset, length) -> {
                assertEquals(0x0102, buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN));
                entries.add(keyGroup + " " + buffer.getStringWithoutLengthAscii(offset + 8, length - 8));
            });
        }
        assertEquals(List.of("7 keyvalue", "9 t"), entries);
    }

    @Test
    void shouldListRestoredStatesThatNobodyClaimedAndKeepThem() {
        final KeyedStateStore store = open();
        put(store.valueTable(COUNT), 1, "k", "v");
        put(store.valueTable(new StateDescriptor("gone/state", "string", "long")), 1, "k", "kept");
        store.valueTable(new StateDescriptor("gone/empty", "string", "long"));
        set(store.timerTable("gone/timers", "bytes"), 1, 5, "t");
        set(store.timerTable(TIMERS, "bytes"), 1, 5, "t");
        assertEquals(List.of(), store.unclaimed());
        final KeyedStateStore restored = restored(segments.write(store.freeze()));
        assertEquals(List.of("gone/state", "uid/count", "gone/timers", "uid/timers"), restored.unclaimed());

        restored.valueTable(COUNT);
        restored.timerTable(TIMERS, "bytes");

        assertEquals(List.of("gone/state", "gone/timers"), restored.unclaimed());
        assertEquals(4, restored.entryCount());
        final KeyedStateStore again = restored(segments.write(restored.freeze()));
        assertEquals("kept", get(again.valueTable(new StateDescriptor("gone/state", "string", "long")), 1, "k"));
        assertEquals(List.of("5=t"), fire(again.timerTable("gone/timers", "bytes"), 5));
    }

    @Test
    void shouldSkipForeignKeyGroupsAndForeignSections() {
        final KeyedStateStore store = open();
        for (int group = 0; group < GROUPS; group++) {
            put(store.valueTable(COUNT), group, "k", "v" + group);
            set(store.timerTable(TIMERS, "bytes"), group, group, "t");
        }
        final FrozenState frozen = store.freeze();
        final SegmentHandle segment = segments.write(writer -> {
            frozen.writeCanonical(1, writer);
            writer.beginSection("operator/source/positions", "");
            writer.entry(-1, StateModel.bytes("not keyed"), 0, 9);
        });
        frozen.close();

        final KeyedStateStore part = open(4, 6);
        segments.restore(part, List.of(segment));

        assertEquals(4, part.entryCount());
        assertEquals("v5", get(part.valueTable(COUNT), 5, "k"));
        assertEquals(List.of("4=t", "5=t"), fire(part.timerTable(TIMERS, "bytes"), 100));
    }

    /** FC-141. */
    @Test
    void shouldRestoreFromSegmentsInWhichSomeKeyGroupsAreEmpty() {
        final KeyedStateStore low = open(0, 8);
        put(low.valueTable(COUNT), 2, "k", "low");
        final KeyedStateStore high = open(8, 16);
        high.valueTable(COUNT);
        final SegmentHandle lowSegment = segments.write(low.freeze());
        final SegmentHandle highSegment = segments.write(high.freeze());

        final ValueTable table = restored(lowSegment, highSegment).valueTable(COUNT);

        assertEquals("low", get(table, 2, "k"));
        assertEquals(1, table.size());
    }

    @Test
    void shouldRefuseToRestoreAnEntryTwice() {
        final KeyedStateStore store = open();
        put(store.valueTable(COUNT), 1, "k", "v");
        final SegmentHandle segment = segments.write(store.freeze());

        assertThrows(CorruptionException.class, () -> restored(segment, segment));
    }

    @Test
    void shouldRefuseEntriesThatAreNoState() {
        final UnsafeBuffer zeros = new UnsafeBuffer(new byte[64]);
        final UnsafeBuffer ones = new UnsafeBuffer(new byte[64]);
        ones.setMemory(0, 64, (byte) 0x7f);
        for (final Consumer<SegmentWriter> content : List.<Consumer<SegmentWriter>>of(
                writer -> section(writer, "value/a", "6:stringlong").entry(1, zeros, 0, 3),
                writer -> section(writer, "value/a", "6:stringlong").entry(1, ones, 0, 10),
                writer -> section(writer, "value/a", "6:stringlong").entry(-1, zeros, 0, 4),
                writer -> section(writer, "value/a", "6:stringlong").entry(GROUPS, zeros, 0, 4),
                writer -> section(writer, "value/a", "no signature"),
                writer -> section(writer, "value/a", "99:short"),
                writer -> section(writer, "value/", "1:ab"),
                writer -> section(writer, "timer/a", "").entry(1, zeros, 0, 7),
                writer -> section(writer, "timer/a", "").entry(GROUPS, zeros, 0, 8))) {
            final SegmentHandle segment = segments.write(content);

            final CorruptionException e = assertThrows(CorruptionException.class, () -> restored(segment));

            assertTrue(e.getMessage().contains(segment.file()), e::getMessage);
        }
    }

    private static SegmentWriter section(final SegmentWriter writer, final String name, final String attributes) {
        writer.beginSection(name, attributes);
        return writer;
    }

    @Test
    void shouldRefuseUseInTheWrongOrder() {
        final KeyedStateStore store = open();
        final SegmentHandle segment = segments.write(store.freeze());

        assertThrows(IllegalStateException.class, () -> segments.restore(store, List.of(segment)));
        final FrozenState frozen = store.freeze();
        frozen.close();
        frozen.close();
        assertThrows(IllegalStateException.class, () -> segments.writeOwn(frozen));
        assertThrows(IllegalStateException.class, () -> segments.write(frozen));
        store.close();
        store.close();
        assertThrows(IllegalStateException.class, () -> store.valueTable(COUNT));
        assertThrows(IllegalStateException.class, store::freeze);
    }

    @Test
    void shouldAllocateNothingForLookupsAndUpdatesOfTheSameLength() {
        final KeyedStateStore store = open();
        final ValueTable table = store.valueTable(COUNT);
        final TimerTable timers = store.timerTable(TIMERS, "bytes");
        final UnsafeBuffer key = new UnsafeBuffer(new byte[12]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int round = 0; round < 4; round++) {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 250_000; i++) {
                key.putInt(0, i % 1000);
                if (table.get(i % GROUPS, key, 0, 12, view)) {
                    value.putLong(0, view.getLong(0) + 1);
                }
                table.put(i % GROUPS, key, 0, 12, value, 0, 8);
                timers.set(i % GROUPS, i % 1000, key, 0, 12);
                timers.nextTime();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }

        // A little is for the measurement itself.
        assertTrue(allocated < 4096, "250,000 updates allocated " + allocated + " bytes");
    }

    @Test
    void shouldAgreeWithAPlainModelThroughFreezeRestoreAndRescaling() {
        for (long seed = 1; seed <= 60; seed++) {
            try (StateModelRun run = new StateModelRun(backend(), seed)) {
                run.run(600);
            } catch (final AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void shouldHaveAName() {
        assertNotEquals("", backend().name());
    }
}
