package io.weir.engine.api;

import io.weir.engine.api.codec.TypedMigration;
import org.agrona.DirectBuffer;

/**
 * Reads values that an older version of a codec wrote: see {@link Codec#version(int, Migration)}. When a job with a newer version
 * is restored, all values of the state are read by this and written by the codec before the function sees any of them, on the
 * thread that opens the tasks.
 *
 * @param <T> type of the values that the codec has now.
 */
@FunctionalInterface
public interface Migration<T> {
    /**
     * Reads a value of an older version.
     *
     * @param fromVersion that wrote it, lower than the codec's.
     * @param old exactly the value's bytes; valid during the call only.
     * @return the value as it is now, not null.
     * @throws Exception if it fails: the job does not start, and the error names the state and the key.
     */
    T migrate(int fromVersion, DirectBuffer old) throws Exception;

    /**
     * Whether it reads a version; else a restore of that one is refused.
     *
     * @param fromVersion that a checkpoint has, lower than the codec's.
     * @param layout of that version as the checkpoint has it: what stands behind the id in the signature, may be empty.
     * @return true if so.
     */
    default boolean reads(final int fromVersion, final String layout) {
        return true;
    }

    /**
     * An instance for one task's own use.
     *
     * @return this, or a fresh instance if it has mutable parts.
     */
    default Migration<T> forTask() {
        return this;
    }

    /**
     * Reads the values of one older version with the codec that they were written by, such as that of a record as it once was. If
     * the checkpoint has another layout for that version, the restore is refused; the names of records do not count.
     *
     * @param fromVersion that it reads, at least 1.
     * @param codec of that version.
     * @param function makes a value of today from an old one.
     * @param <F> type of the old values.
     * @param <T> type of the values that the codec has now.
     * @return the migration.
     */
    static <F, T> Migration<T> from(
            final int fromVersion, final Codec<F> codec, final MapFunction<? super F, ? extends T> function) {
        return new TypedMigration<>(fromVersion, codec, function, null);
    }

    /**
     * Reads one more version.
     *
     * @param fromVersion that the codec has written; this migration reads the others.
     * @param codec of that version.
     * @param function makes a value of today from an old one.
     * @param <F> type of the old values.
     * @return the migration.
     */
    default <F> Migration<T> orFrom(
            final int fromVersion, final Codec<F> codec, final MapFunction<? super F, ? extends T> function) {
        return new TypedMigration<>(fromVersion, codec, function, this);
    }
}
