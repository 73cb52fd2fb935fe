package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.storage.snapshot.SegmentReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One seeded run: tables are regrouped into other tasks from generation to generation, at other parallelisms, and some are left
 * behind; what the stores hold has to agree with plain maps.
 */
final class MovedTablesRun implements AutoCloseable {
    private static final int MAX_PARALLELISM = 12;
    private static final List<String> TABLES = List.of("a/x", "a/y", "b/x", "c/x", "d/x");

    private final StateBackend backend;
    private final Random random;
    private final StateSegments segments = new StateSegments();
    private final Map<String, TreeMap<String, String>> model = new TreeMap<>();
    private final List<Task> tasks = new ArrayList<>();
    private List<Saved> saved = List.of();

    MovedTablesRun(final StateBackend backend, final long seed) {
        this.backend = backend;
        random = new Random(seed);
    }

    /** The tables of one chain in one subtask. */
    private record Task(Set<String> tables, int subtask, int parallelism, KeyedStateStore store) {
        boolean owns(final String key) {
            final int keyGroup = StateModel.keyGroup(key, MAX_PARALLELISM);
            return KeyGroups.owner(keyGroup, MAX_PARALLELISM, parallelism) == subtask;
        }
    }

    /** What a task left, and which tables it had. */
    private record Saved(Set<String> tables, StateSegments.Part part) {}

    void run() {
        for (int generation = 0; generation < 4; generation++) {
            regroup();
            assertAgreed();
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 60; i++) {
                    step();
                }
                tasks.forEach(task -> task.store().doWork());
                write(random.nextInt(3));
            }
            assertAgreed();
        }
    }

    private void regroup() {
        close();
        final List<Set<String>> chains = List.of(new TreeSet<>(), new TreeSet<>());
        for (final String table : TABLES) {
            if (random.nextInt(6) > 0) {
                chains.get(random.nextInt(2)).add(table);
            } else {
                model.remove(table);
            }
        }
        for (final Set<String> chain : chains) {
            final int parallelism = 1 + random.nextInt(3);
            for (int subtask = 0; subtask < parallelism; subtask++) {
                final KeyedStateStore store = backend.open(new StoreContext(
                        MAX_PARALLELISM,
                        KeyGroups.first(subtask, MAX_PARALLELISM, parallelism),
                        KeyGroups.first(subtask + 1, MAX_PARALLELISM, parallelism),
                        segments.shared()));
                tasks.add(new Task(chain, subtask, parallelism, store));
                saved.forEach(part -> restore(store, chain, part));
                if (random.nextBoolean()) {
                    store.freeze().close();
                }
            }
        }
    }

    private void restore(final KeyedStateStore store, final Set<String> chain, final Saved from) {
        final StateSegments.Part part = from.part();
        if (from.tables().stream().noneMatch(chain::contains)) {
            return;
        }
        store.restoreShared(part.shared(), part.firstKeyGroup(), part.endKeyGroup(), chain::contains);
        try (SegmentReader reader = segments.open(part.own())) {
            store.restore(reader, chain::contains);
        }
    }

    private void step() {
        final String key = "k" + random.nextInt(30);
        final Task task = tasks.get(random.nextInt(tasks.size()));
        if (task.tables().isEmpty() || !task.owns(key)) {
            return;
        }
        final List<String> names = List.copyOf(task.tables());
        final String name = names.get(random.nextInt(names.size()));
        final UnsafeBuffer keyBytes = StateModel.bytes(key);
        final int keyGroup = StateModel.keyGroup(key, MAX_PARALLELISM);
        if (random.nextInt(4) == 0) {
            task.store().valueTable(descriptor(name)).remove(keyGroup, keyBytes, 0, keyBytes.capacity());
            model.computeIfAbsent(name, any -> new TreeMap<>()).remove(key);
        } else {
            final String value = name + random.nextInt(1000);
            final UnsafeBuffer bytes = StateModel.bytes(value);
            task.store()
                    .valueTable(descriptor(name))
                    .put(keyGroup, keyBytes, 0, keyBytes.capacity(), bytes, 0, bytes.capacity());
            model.computeIfAbsent(name, any -> new TreeMap<>()).put(key, value);
        }
    }

    private static StateDescriptor descriptor(final String name) {
        return new StateDescriptor(name, "bytes", "bytes");
    }

    private void write(final int form) {
        final List<Saved> written = new ArrayList<>();
        for (final Task task : tasks) {
            final FrozenState frozen = task.store().freeze();
            final int first = KeyGroups.first(task.subtask(), MAX_PARALLELISM, task.parallelism());
            final int end = KeyGroups.first(task.subtask() + 1, MAX_PARALLELISM, task.parallelism());
            final StateSegments.Part part = switch (form) {
                case 0 -> new StateSegments.Part(segments.write(frozen), List.of(), first, end);
                case 1 -> segments.writeNative(frozen, first, end);
                default -> segments.writeOwn(frozen, first, end);
            };
            written.add(new Saved(task.tables(), part));
        }
        saved = written;
    }

    private void assertAgreed() {
        final Map<String, TreeMap<String, String>> found = new TreeMap<>();
        long entries = 0;
        for (final Task task : tasks) {
            entries += task.store().entryCount();
            for (final String name : task.tables()) {
                task.store()
                        .valueTable(descriptor(name))
                        .forEach((keyGroup, key, value) -> found.computeIfAbsent(name, any -> new TreeMap<>())
                                .put(text(key), text(value)));
            }
        }
        model.values().removeIf(Map::isEmpty);
        assertEquals(model, found);
        assertEquals(model.values().stream().mapToLong(Map::size).sum(), entries);
    }

    private static String text(final DirectBuffer bytes) {
        return bytes.getStringWithoutLengthAscii(0, bytes.capacity());
    }

    @Override
    public void close() {
        tasks.forEach(task -> task.store().close());
        tasks.clear();
    }
}
