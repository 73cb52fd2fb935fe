package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Migration;
import io.weir.engine.api.codec.KeyText;
import io.weir.storage.state.StateException;
import io.weir.storage.state.ValueMigration;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Rewrites values by the migration of their codec; what stands in front of them, such as a stamp, stays. The thread that opens
 * the task.
 */
final class CodecMigration<V> implements ValueMigration {
    private final String state;
    private final String keyCodec;
    private final Codec<V> codec;
    private final Migration<? extends V> migration;
    private final int prefix;
    private final UnsafeBuffer old = new UnsafeBuffer(0, 0);

    private CodecMigration(final String state, final String keyCodec, final Codec<V> codec, final int prefix) {
        this.state = state;
        this.keyCodec = keyCodec;
        this.codec = codec;
        this.prefix = prefix;
        migration = codec.migration();
    }

    /**
     * The migration of a state.
     *
     * @param state for errors.
     * @param keyCodec text of the codec of the keys, for errors; null if values have none.
     * @param codec of the values.
     * @param prefix bytes that stand in front of each value.
     * @return null if the codec has none.
     */
    static <V> CodecMigration<V> of(final String state, final String keyCodec, final Codec<V> codec, final int prefix) {
        return codec.migration() == null ? null : new CodecMigration<>(state, keyCodec, codec.forTask(), prefix);
    }

    @Override
    public boolean reads(final int fromVersion, final String layout) {
        return migration.reads(fromVersion, layout);
    }

    @Override
    public int migrate(
            final int fromVersion, final DirectBuffer key, final DirectBuffer value, final MutableDirectBuffer target) {
        return migrate(
                fromVersion, value, target, () -> "key " + KeyText.of(keyCodec).print(key));
    }

    /** Rewrites the value at a place that is named only if it fails. */
    int migrate(
            final int fromVersion,
            final DirectBuffer value,
            final MutableDirectBuffer target,
            final Supplier<String> place) {
        try {
            old.wrap(value, prefix, value.capacity() - prefix);
            final V migrated = migration.migrate(fromVersion, old);
            if (migrated == null) {
                throw new IllegalStateException("it gave null");
            }
            target.putBytes(0, value, 0, prefix);
            return prefix + codec.encode(migrated, target, prefix);
        } catch (final Exception e) {
            throw new StateException(
                    state + ": the migration of a value of codec " + codec.id() + " from version " + fromVersion
                            + " to " + codec.version() + " failed at " + place.get() + ": " + e,
                    e);
        }
    }
}
