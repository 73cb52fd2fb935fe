package io.weir.engine.api;

import java.util.Objects;

/**
 * Names a broadcast state: a map that every subtask of an operator holds whole.
 *
 * @param <K> type of the map's keys.
 * @param <V> type of the map's values.
 * @param name unique within the operator: letters, digits and {@code - _ .}.
 * @param keys codec of the map's keys: equal ones must give equal bytes; kept with checkpoints, a restore with another is refused.
 * @param values codec of the map's values; kept with checkpoints, see {@link Codec#version()}.
 * @see Stream#broadcast
 */
public record BroadcastStateDescriptor<K, V>(String name, Codec<K> keys, Codec<V> values) {
    /** Checks name and codecs. */
    public BroadcastStateDescriptor {
        if (!name.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    "broadcast state '" + name + "' must have only letters, digits and - _ . in its name");
        }
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(values, "values");
    }

    /**
     * Makes a descriptor.
     *
     * @param name unique within the operator: letters, digits and {@code - _ .}.
     * @param keys codec of the map's keys: equal ones must give equal bytes.
     * @param values codec of the map's values.
     * @param <K> type of the map's keys.
     * @param <V> type of the map's values.
     * @return the descriptor.
     */
    public static <K, V> BroadcastStateDescriptor<K, V> of(
            final String name, final Codec<K> keys, final Codec<V> values) {
        return new BroadcastStateDescriptor<>(name, keys, values);
    }
}
