package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.CodecText;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateSegments;
import io.weir.storage.state.StateSegments.Part;
import io.weir.storage.state.StoreContext;
import io.weir.storage.state.TimerTable;
import io.weir.storage.state.ValueMigration;
import io.weir.storage.state.ValueTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.zip.CRC32;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One seeded run of random operations on stores of pages and on a store of the heap backend, which have to give the same
 * answers. Lengths of keys and values gather around the limits of slots, pages and overflow pages. Several snapshots are in
 * flight, are written late, given up, or meet a disk that fails; restores go back to any that was written, at another
 * parallelism, from the pages' own form or the canonical one, and now and then into a newer version of a state's codec.
 */
final class DifferentialRun implements AutoCloseable {
    private static final int MAX_PARALLELISM = 8;
    private static final int MAX_IN_FLIGHT = 3;
    private static final List<String> TIMERS = List.of("uid/timers", "other/timers");
    private static final int[] LENGTHS = {0, 1, 3, 4, 5, 7, 8, 9, 16, 24, 60, 100, 300};
    private static final int[] LIMITS = {
        HashPage.MAX_ENTRY_LENGTH - 4,
        TimerPage.MAX_KEY_LENGTH,
        OverflowPages.CAPACITY,
        2 * OverflowPages.CAPACITY,
        Page.LENGTH,
        3 * Page.LENGTH
    };

    private final List<StateDescriptor> states = new ArrayList<>(List.of(state("uid/a", 1), state("uid/b", 1)));
    private final StateBackend backend;
    private final FailingSegments segments = new FailingSegments();
    private final StateSegments oracleSegments = new StateSegments();
    private final Random random;
    private final int keys;
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[32 * 1024]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[64 * 1024]);
    private final List<KeyedStateStore> stores = new ArrayList<>();
    private final ArrayDeque<Cut> inFlight = new ArrayDeque<>();
    private KeyedStateStore oracle;
    private Cut written;
    private long operations;
    private long refused;

    DifferentialRun(final StateBackend backend, final long seed) {
        this.backend = backend;
        this.random = new Random(seed);
        this.keys = 1 << (2 + random.nextInt(10));
        open(null, 1 + random.nextInt(3));
    }

    /** What was frozen at one moment. */
    private static final class Cut {
        private final List<FrozenState> frozen;
        private final SegmentHandle expected;
        private List<Part> parts;

        private Cut(final List<FrozenState> frozen, final SegmentHandle expected) {
            this.frozen = frozen;
            this.expected = expected;
        }
    }

    void run(final int count) {
        for (int i = 0; i < count; i++) {
            operations++;
            step();
        }
        compareAll();
        freeze();
        while (!inFlight.isEmpty()) {
            write();
        }
        restore();
    }

    long operations() {
        return operations;
    }

    /** Cuts that were not written, though the disk was well. */
    long refused() {
        return refused;
    }

    private void step() {
        final int dice = random.nextInt(1000);
        if (dice < 450) {
            put();
        } else if (dice < 530) {
            get();
        } else if (dice < 600) {
            update();
        } else if (dice < 750) {
            remove();
        } else if (dice < 850) {
            setTimer();
        } else if (dice < 890) {
            cancelTimer();
        } else if (dice < 970) {
            pollTimers();
        } else if (dice < 980) {
            stores.forEach(KeyedStateStore::doWork);
        } else if (dice < 988) {
            freeze();
        } else if (dice < 994) {
            write();
        } else if (dice < 996) {
            abandon();
        } else if (dice < 998) {
            failToWrite();
        } else if (dice == 998) {
            compareAll();
        } else if (random.nextInt(4) == 0) {
            restore();
        }
    }

    private int owner(final int keyGroup) {
        return KeyGroups.owner(keyGroup, MAX_PARALLELISM, stores.size());
    }

    private int keyLength;
    private int keyGroup;
    private KeyedStateStore store;

    /** Draws a key; equal numbers give equal bytes. */
    private void drawKey() {
        useKey(random.nextInt(keys));
    }

    private void useKey(final int number) {
        final Random ofKey = new Random(number);
        final int kind = ofKey.nextInt(20);
        keyLength = kind == 0 ? limit(ofKey, 2000) : kind < 5 ? LENGTHS[ofKey.nextInt(LENGTHS.length)] : 8;
        for (int i = 0; i < keyLength; i++) {
            key.putByte(i, (byte) ofKey.nextInt());
        }
        keyGroup = KeyGroups.ofHash(KeyGroups.hash(key, 0, keyLength), MAX_PARALLELISM);
        store = stores.get(owner(keyGroup));
    }

    private int limit(final Random from, final int longest) {
        int length = longest + 1;
        while (length > longest) {
            length = LIMITS[from.nextInt(LIMITS.length)] - 24 + from.nextInt(28);
        }
        return length;
    }

    private StateDescriptor drawState() {
        return states.get(random.nextInt(states.size()));
    }

    private static StateDescriptor state(final String name, final int version) {
        return new StateDescriptor(name, "bytes", CodecText.of("bytes", version)).migratedBy(new Reshape(version));
    }

    /** Makes values longer, and many of those that don't fit into a page shorter, so that they come and go there. */
    private record Reshape(int version) implements ValueMigration {
        @Override
        public boolean reads(final int fromVersion, final String layout) {
            return true;
        }

        @Override
        public int migrate(
                final int fromVersion,
                final DirectBuffer key,
                final DirectBuffer old,
                final MutableDirectBuffer target) {
            int length = old.capacity();
            target.putBytes(0, old, 0, length);
            for (int to = fromVersion + 1; to <= version; to++) {
                if (length > 4000 && to % 2 == 0) {
                    length -= 3000;
                }
                final int added = (length + to) % 9 == 0 ? 900 : (length + to) % 12;
                for (int i = 0; i < added; i++) {
                    target.putByte(length++, (byte) (to + i));
                }
            }
            return length;
        }
    }

    private void put() {
        drawKey();
        put(drawState());
    }

    private void put(final StateDescriptor state) {
        final int kind = random.nextInt(40);
        final int length = kind == 0
                ? limit(random, 20_000)
                : kind == 1
                        ? Math.max(0, HashPage.MAX_ENTRY_LENGTH - keyLength - 8 + random.nextInt(10))
                        : kind < 20 ? 24 : LENGTHS[random.nextInt(LENGTHS.length)];
        for (int i = 0; i < length; i += Long.BYTES) {
            value.putLong(i, random.nextLong());
        }
        store.valueTable(state).put(keyGroup, key, 0, keyLength, value, 0, length);
        oracle.valueTable(state).put(keyGroup, key, 0, keyLength, value, 0, length);
    }

    private void get() {
        drawKey();
        get(drawState());
    }

    /** Reads an entry and then writes it, with this or that between. */
    private void update() {
        final int number = random.nextInt(keys);
        final StateDescriptor state = drawState();
        final int between = random.nextInt(10);
        if (between == 0) {
            touchAhead(state);
        }
        useKey(number);
        get(state);
        switch (between) {
            case 1 -> freeze();
            case 2 -> write();
            case 3 -> store.doWork();
            case 4 -> put();
            case 5 -> get();
            case 6 -> remove();
            case 7 -> remove(state);
            case 8 -> touchAhead(state);
            default -> {}
        }
        useKey(number);
        put(state);
        get(state);
    }

    private void touchAhead(final StateDescriptor state) {
        final int count = random.nextInt(100);
        for (int i = 0; i < count; i++) {
            drawKey();
            store.valueTable(state).ahead(keyGroup, key, 0, keyLength);
        }
        stores.forEach(each -> each.valueTable(state).touch());
    }

    private void get(final StateDescriptor state) {
        final UnsafeBuffer found = new UnsafeBuffer(0, 0);
        final UnsafeBuffer expected = new UnsafeBuffer(0, 0);
        assertEquals(
                oracle.valueTable(state).get(keyGroup, key, 0, keyLength, expected),
                store.valueTable(state).get(keyGroup, key, 0, keyLength, found));
        assertEquals(digest(expected), digest(found));
    }

    private void remove() {
        drawKey();
        remove(drawState());
    }

    private void remove(final StateDescriptor state) {
        assertEquals(
                oracle.valueTable(state).remove(keyGroup, key, 0, keyLength),
                store.valueTable(state).remove(keyGroup, key, 0, keyLength));
    }

    private void setTimer() {
        drawKey();
        final String timers = TIMERS.get(random.nextInt(TIMERS.size()));
        final int time = random.nextInt(3) == 0 ? 7 : random.nextInt(200) - 50;
        assertEquals(
                oracle.timerTable(timers, "bytes").set(keyGroup, time, key, 0, keyLength),
                store.timerTable(timers, "bytes").set(keyGroup, time, key, 0, keyLength));
    }

    private void cancelTimer() {
        drawKey();
        final String timers = TIMERS.get(random.nextInt(TIMERS.size()));
        final int time = random.nextInt(3) == 0 ? 7 : random.nextInt(200) - 50;
        assertEquals(
                oracle.timerTable(timers, "bytes").cancel(keyGroup, time, key, 0, keyLength),
                store.timerTable(timers, "bytes").cancel(keyGroup, time, key, 0, keyLength));
    }

    /** Fires at all stores what is due; the oracle's order is that within each key group and time. */
    private void pollTimers() {
        final String timers = TIMERS.get(random.nextInt(TIMERS.size()));
        final int now = random.nextInt(100) - 50;
        final int most = 1 + random.nextInt(5);
        if (stores.size() > 1) {
            pollAll(timers, now);
            return;
        }
        final List<String> expected = new ArrayList<>();
        final List<String> found = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            assertEquals(
                    oracle.timerTable(timers, "bytes").nextTime(),
                    stores.get(0).timerTable(timers, "bytes").nextTime());
            oracle.timerTable(timers, "bytes")
                    .pollDue(now, (group, time, fired) -> expected.add(group + "/" + time + "/" + digest(fired)));
            stores.get(0)
                    .timerTable(timers, "bytes")
                    .pollDue(now, (group, time, fired) -> found.add(group + "/" + time + "/" + digest(fired)));
        }
        assertEquals(expected, found);
    }

    private void pollAll(final String timers, final long now) {
        final List<List<String>> expected = new ArrayList<>();
        final List<List<String>> found = new ArrayList<>();
        for (final KeyedStateStore each : stores) {
            expected.add(new ArrayList<>());
            final List<String> fired = new ArrayList<>();
            while (each.timerTable(timers, "bytes")
                    .pollDue(now, (group, time, by) -> fired.add(group + "/" + time + "/" + digest(by)))) {}
            found.add(fired);
        }
        while (oracle.timerTable(timers, "bytes")
                .pollDue(
                        now,
                        (group, time, by) -> expected.get(owner(group)).add(group + "/" + time + "/" + digest(by)))) {}
        assertEquals(expected, found);
    }

    private void freeze() {
        if (inFlight.size() == MAX_IN_FLIGHT) {
            write();
        }
        final SegmentHandle expected = oracleSegments.write(oracle.freeze());
        inFlight.addLast(new Cut(stores.stream().map(KeyedStateStore::freeze).toList(), expected));
    }

    /** Writes the oldest cut; it is refused where too many before it came to nothing. */
    private void write() {
        final Cut cut = inFlight.pollFirst();
        if (cut != null) {
            try {
                cut.parts = write(
                        cut,
                        (frozen, subtask) -> segments.segments().writeOwn(frozen, first(subtask), first(subtask + 1)));
                written = cut;
            } catch (final SnapshotException e) {
                refused++;
                cut.frozen.forEach(FrozenState::close);
            }
        }
    }

    private List<Part> write(final Cut cut, final BiFunction<FrozenState, Integer, Part> writer) {
        final List<Part> parts = new ArrayList<>();
        for (int subtask = 0; subtask < cut.frozen.size(); subtask++) {
            parts.add(writer.apply(cut.frozen.get(subtask), subtask));
        }
        return parts;
    }

    private int first(final int subtask) {
        return KeyGroups.first(subtask, MAX_PARALLELISM, stores.size());
    }

    private void abandon() {
        final Cut cut = inFlight.pollFirst();
        if (cut != null) {
            cut.frozen.forEach(FrozenState::close);
        }
    }

    private void failToWrite() {
        final Cut cut = inFlight.pollFirst();
        if (cut != null) {
            for (final FrozenState frozen : cut.frozen) {
                segments.failToWrite(frozen);
            }
        }
    }

    private void restore() {
        if (written == null) {
            return;
        }
        if (random.nextInt(3) == 0 && !inFlight.isEmpty()) {
            writeCanonical();
        }
        while (!inFlight.isEmpty()) {
            abandon();
        }
        final boolean isUpgrade = random.nextInt(4) == 0;
        if (isUpgrade) {
            final int upgraded = random.nextInt(states.size());
            final StateDescriptor now = states.get(upgraded);
            states.set(
                    upgraded,
                    state(now.name(), CodecText.parse(now.valueCodec()).version() + 1));
        }
        open(written, 1 + random.nextInt(4));
        if (stores.size() > 1 || random.nextBoolean()) {
            // All tasks or none; with none the next one who asks for the state upgrades it, between snapshots.
            states.forEach(state -> stores.forEach(each -> each.valueTable(state)));
            states.forEach(oracle::valueTable);
        }
        if (random.nextBoolean()) {
            compareAll();
        }
    }

    /** Lets the next restore come from the canonical form. */
    private void writeCanonical() {
        final Cut cut = inFlight.pollFirst();
        cut.parts = write(
                cut,
                (frozen, subtask) ->
                        new Part(segments.segments().write(frozen), List.of(), first(subtask), first(subtask + 1)));
        written = cut;
    }

    private void open(final Cut cut, final int parallelism) {
        closeStores();
        oracle = new HeapStateBackend()
                .open(new StoreContext(MAX_PARALLELISM, 0, MAX_PARALLELISM, oracleSegments.shared()));
        for (int subtask = 0; subtask < parallelism; subtask++) {
            final KeyedStateStore opened = backend.open(new StoreContext(
                    MAX_PARALLELISM,
                    KeyGroups.first(subtask, MAX_PARALLELISM, parallelism),
                    KeyGroups.first(subtask + 1, MAX_PARALLELISM, parallelism),
                    segments.shared()));
            stores.add(opened);
            if (cut != null) {
                segments.segments().restoreParts(opened, cut.parts);
            }
        }
        if (cut != null) {
            oracleSegments.restore(oracle, List.of(cut.expected));
        }
    }

    private void compareAll() {
        for (final StateDescriptor state : states) {
            final Map<String, String> expected = entries(oracle.valueTable(state));
            final Map<String, String> found = new TreeMap<>();
            long size = 0;
            for (final KeyedStateStore each : stores) {
                found.putAll(entries(each.valueTable(state)));
                size += each.valueTable(state).size();
            }
            assertSame(state.name(), expected, found);
            assertEquals(expected.size(), size);
        }
        for (final String timers : TIMERS) {
            long size = 0;
            long first = TimerTable.NONE;
            for (final KeyedStateStore each : stores) {
                size += each.timerTable(timers, "bytes").size();
                first = Math.min(first, each.timerTable(timers, "bytes").nextTime());
            }
            assertEquals(oracle.timerTable(timers, "bytes").size(), size);
            assertEquals(oracle.timerTable(timers, "bytes").nextTime(), first);
        }
    }

    private static void assertSame(
            final String state, final Map<String, String> expected, final Map<String, String> found) {
        for (final String entry : expected.keySet()) {
            assertEquals(expected.get(entry), found.get(entry), state + " " + entry);
        }
        assertEquals(expected.keySet(), found.keySet(), state);
    }

    private static Map<String, String> entries(final ValueTable table) {
        final Map<String, String> entries = new TreeMap<>();
        table.forEach((group, entryKey, entryValue) ->
                assertEquals(null, entries.put(group + "/" + digest(entryKey), digest(entryValue)), "an entry twice"));
        return entries;
    }

    /** Length, first bytes and hash: short, and different for different bytes. */
    private static String digest(final DirectBuffer view) {
        final byte[] bytes = new byte[view.capacity()];
        view.getBytes(0, bytes);
        final CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return bytes.length + ":" + HexFormat.of().formatHex(bytes, 0, Math.min(4, bytes.length)) + ":"
                + Long.toHexString(checksum.getValue()) + ":" + Integer.toHexString(Arrays.hashCode(bytes));
    }

    private void closeStores() {
        stores.forEach(KeyedStateStore::close);
        stores.clear();
        if (oracle != null) {
            oracle.close();
        }
    }

    @Override
    public void close() {
        inFlight.forEach(cut -> cut.frozen.forEach(FrozenState::close));
        closeStores();
    }
}
