package io.weir.storage.state;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Keyed state in plain collections: what every backend has to agree with. Bytes are Latin-1 strings, whose order is that of
 * unsigned bytes.
 */
final class StateModel {
    final Map<String, TreeMap<String, String>> values = new TreeMap<>();
    final Map<String, TreeSet<Timer>> timers = new TreeMap<>();

    SortedMap<String, String> values(final String name) {
        return values.computeIfAbsent(name, absent -> new TreeMap<>());
    }

    SortedSet<Timer> timers(final String name) {
        return timers.computeIfAbsent(
                name,
                absent -> new TreeSet<>(Comparator.comparingLong(Timer::time).thenComparing(Timer::key)));
    }

    StateModel copy() {
        final StateModel copy = new StateModel();
        values.forEach((name, entries) -> copy.values(name).putAll(entries));
        timers.forEach((name, set) -> copy.timers(name).addAll(set));
        return copy;
    }

    long entryCount() {
        return values.values().stream().mapToLong(Map::size).sum()
                + timers.values().stream().mapToLong(TreeSet::size).sum();
    }

    static UnsafeBuffer bytes(final String text) {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static int keyGroup(final String key, final int maxParallelism) {
        final UnsafeBuffer bytes = bytes(key);
        return KeyGroups.ofHash(KeyGroups.hash(bytes, 0, bytes.capacity()), maxParallelism);
    }

    /**
     * A timer.
     *
     * @param time at which it is due.
     * @param key in Latin-1.
     */
    record Timer(long time, String key) {}
}
