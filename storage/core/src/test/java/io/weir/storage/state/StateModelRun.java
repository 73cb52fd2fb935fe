package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One seeded run: random operations on the stores of all subtasks and on the model, which have to agree all along. */
final class StateModelRun implements AutoCloseable {
    private static final int MAX_PARALLELISM = 12;
    private static final List<String> STATES = List.of("uid/a", "uid/b");
    private static final List<String> TIMERS = List.of("uid/timers", "other/timers");

    private final StateBackend backend;
    private final Random random;
    private final StateSegments segments = new StateSegments();
    private final List<KeyedStateStore> stores = new ArrayList<>();
    private final UnsafeBuffer input = new UnsafeBuffer(new byte[4096]);
    private StateModel model = new StateModel();
    private StateModel frozenModel = new StateModel();
    private List<FrozenState> frozen = List.of();
    private List<StateSegments.Part> parts = List.of();

    StateModelRun(final StateBackend backend, final long seed) {
        this.backend = backend;
        this.random = new Random(seed);
        open(1);
    }

    private void open(final int parallelism) {
        stores.forEach(KeyedStateStore::close);
        stores.clear();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            final KeyedStateStore store = backend.open(new StoreContext(
                    MAX_PARALLELISM,
                    KeyGroups.first(subtask, MAX_PARALLELISM, parallelism),
                    KeyGroups.first(subtask + 1, MAX_PARALLELISM, parallelism),
                    segments.shared()));
            stores.add(store);
            segments.restoreParts(store, parts);
        }
    }

    private int owner(final String key) {
        return KeyGroups.owner(StateModel.keyGroup(key, MAX_PARALLELISM), MAX_PARALLELISM, stores.size());
    }

    void run(final int operations) {
        for (final int parallelism : new int[] {1, 3, 2}) {
            open(parallelism);
            assertAgreed();
            for (int i = 0; i < operations; i++) {
                step();
            }
            assertAgreed();
            freeze();
            for (int i = 0; i < operations / 10; i++) {
                step();
            }
            write();
            model = frozenModel;
        }
        open(1);
        assertAgreed();
    }

    private void step() {
        final int dice = random.nextInt(100);
        if (dice < 40) {
            put();
        } else if (dice < 55) {
            get();
        } else if (dice < 70) {
            remove();
        } else if (dice < 80) {
            setTimer();
        } else if (dice < 87) {
            cancelTimer();
        } else if (dice < 95) {
            pollTimers();
        } else if (dice < 98) {
            assertEquals(
                    model.entryCount(),
                    stores.stream().mapToLong(KeyedStateStore::entryCount).sum());
        } else if (dice < 99) {
            stores.forEach(KeyedStateStore::doWork);
        } else {
            abandonFreeze();
        }
    }

    private <T> T pick(final List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String text(final int maxLength) {
        final byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(maxLength) : random.nextInt(3)];
        random.nextBytes(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private ValueTable table(final String key, final String name) {
        return stores.get(owner(key)).valueTable(new StateDescriptor(name, "bytes", "bytes"));
    }

    private int place(final String text, final int from) {
        final int offset = from + random.nextInt(16);
        input.putBytes(offset, text.getBytes(StandardCharsets.ISO_8859_1));
        return offset;
    }

    private void put() {
        final String name = pick(STATES);
        final String key = text(20);
        final String value = text(300);
        final int keyOffset = place(key, 0);
        final int valueOffset = place(value, 1024);
        table(key, name)
                .put(
                        StateModel.keyGroup(key, MAX_PARALLELISM),
                        input,
                        keyOffset,
                        key.length(),
                        input,
                        valueOffset,
                        value.length());
        model.values(name).put(key, value);
    }

    private void get() {
        final String name = pick(STATES);
        final String key = text(20);
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        final boolean found = table(key, name)
                .get(StateModel.keyGroup(key, MAX_PARALLELISM), input, place(key, 0), key.length(), view);
        final String expected = model.values(name).get(key);
        if (found) {
            assertEquals(expected, string(view));
        } else {
            assertNull(expected);
            assertEquals(0, view.capacity());
        }
    }

    private void remove() {
        final String name = pick(STATES);
        final String key = text(20);
        final boolean removed =
                table(key, name).remove(StateModel.keyGroup(key, MAX_PARALLELISM), input, place(key, 0), key.length());
        assertEquals(model.values(name).remove(key) != null, removed);
    }

    private void setTimer() {
        final String name = pick(TIMERS);
        final StateModel.Timer timer = new StateModel.Timer(random.nextInt(50) - 10, text(20));
        final boolean set = timers(owner(timer.key()), name)
                .set(
                        StateModel.keyGroup(timer.key(), MAX_PARALLELISM),
                        timer.time(),
                        input,
                        place(timer.key(), 0),
                        timer.key().length());
        assertEquals(model.timers(name).add(timer), set);
    }

    private void cancelTimer() {
        final String name = pick(TIMERS);
        final SortedSet<StateModel.Timer> set = model.timers(name);
        final StateModel.Timer timer = set.isEmpty() || random.nextBoolean()
                ? new StateModel.Timer(random.nextInt(50) - 10, text(20))
                : pick(List.copyOf(set));
        final boolean cancelled = timers(owner(timer.key()), name)
                .cancel(
                        StateModel.keyGroup(timer.key(), MAX_PARALLELISM),
                        timer.time(),
                        input,
                        place(timer.key(), 0),
                        timer.key().length());
        assertEquals(set.remove(timer), cancelled);
    }

    private TimerTable timers(final int subtask, final String name) {
        return stores.get(subtask).timerTable(name, "bytes");
    }

    private void pollTimers() {
        final String name = pick(TIMERS);
        final int subtask = random.nextInt(stores.size());
        final TimerTable table = timers(subtask, name);
        final int now = random.nextInt(20) - 15;
        for (int i = 0; i < 2; i++) {
            final StateModel.Timer expected = model.timers(name).stream()
                    .filter(timer -> owner(timer.key()) == subtask)
                    .findFirst()
                    .orElse(null);
            assertEquals(expected == null ? TimerTable.NONE : expected.time(), table.nextTime());
            final List<StateModel.Timer> fired = new ArrayList<>();
            final boolean due = table.pollDue(now, (keyGroup, time, key) -> {
                assertEquals(StateModel.keyGroup(string(key), MAX_PARALLELISM), keyGroup);
                fired.add(new StateModel.Timer(time, string(key)));
            });
            if (expected == null || expected.time() > now) {
                assertFalse(due);
                assertEquals(List.of(), fired);
            } else {
                assertEquals(List.of(expected), fired);
                model.timers(name).remove(expected);
            }
        }
    }

    private void freeze() {
        frozenModel = model.copy();
        frozen = stores.stream().map(KeyedStateStore::freeze).toList();
    }

    private void write() {
        final int form = random.nextInt(4);
        final List<StateSegments.Part> written = new ArrayList<>();
        for (int subtask = 0; subtask < frozen.size(); subtask++) {
            final FrozenState state = frozen.get(subtask);
            final int first = KeyGroups.first(subtask, MAX_PARALLELISM, frozen.size());
            final int end = KeyGroups.first(subtask + 1, MAX_PARALLELISM, frozen.size());
            written.add(
                    switch (form) {
                        case 0 -> new StateSegments.Part(segments.write(state), List.of(), first, end);
                        case 1 -> segments.writeNative(state, first, end);
                        default -> segments.writeOwn(state, first, end);
                    });
        }
        parts = written;
    }

    private void abandonFreeze() {
        stores.forEach(store -> store.freeze().close());
    }

    private static String string(final DirectBuffer view) {
        final byte[] bytes = new byte[view.capacity()];
        view.getBytes(0, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void assertAgreed() {
        final StateModel found = new StateModel();
        for (final String name : STATES) {
            for (final KeyedStateStore store : stores) {
                final ValueTable table = store.valueTable(new StateDescriptor(name, "bytes", "bytes"));
                final Map<String, String> entries = new TreeMap<>();
                table.forEach((keyGroup, key, value) -> {
                    assertEquals(StateModel.keyGroup(string(key), MAX_PARALLELISM), keyGroup);
                    assertNull(entries.put(string(key), string(value)));
                });
                assertEquals(entries.size(), table.size());
                found.values(name).putAll(entries);
            }
            assertEquals(model.values(name), found.values(name));
        }
        for (final String name : TIMERS) {
            assertEquals(
                    model.timers(name).size(),
                    stores.stream()
                            .mapToLong(store -> store.timerTable(name, "bytes").size())
                            .sum());
        }
        for (final KeyedStateStore store : stores) {
            assertEquals(List.of(), store.unclaimed());
        }
    }

    @Override
    public void close() {
        stores.forEach(KeyedStateStore::close);
    }
}
