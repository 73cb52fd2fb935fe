package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Migration;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A codec with an id, a version or a migration of its own; the bytes are those of another.
 *
 * @param <T> type of the values.
 */
public final class VersionedCodec<T> implements Codec<T> {
    private final Codec<T> codec;
    private final String id;
    private final int version;
    private final Migration<? extends T> migration;

    /**
     * A codec over another.
     *
     * @param codec that reads and writes.
     * @param id letters, digits and {@code - _ . $}.
     * @param version at least 1.
     * @param migration reads older versions, null if none does.
     */
    public VersionedCodec(
            final Codec<T> codec, final String id, final int version, final Migration<? extends T> migration) {
        if (!id.matches("[A-Za-z0-9._$-]+")) {
            throw new IllegalArgumentException("id '" + id + "' of codec " + codec.signature()
                    + " must have only letters, digits and - _ . $ in it");
        }
        if (version < 1) {
            throw new IllegalArgumentException(
                    "version=" + version + " of codec " + codec.signature() + " must be >= 1");
        }
        this.codec = codec;
        this.id = id;
        this.version = version;
        this.migration = migration;
    }

    @Override
    public String signature() {
        return id + codec.signature().substring(codec.id().length());
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public Migration<? extends T> migration() {
        return migration;
    }

    @Override
    public int encode(final T value, final MutableDirectBuffer buffer, final int offset) {
        return codec.encode(value, buffer, offset);
    }

    @Override
    public T decode(final DirectBuffer buffer, final int offset, final int length) {
        return codec.decode(buffer, offset, length);
    }

    @Override
    public Codec<T> forTask() {
        return new VersionedCodec<>(codec.forTask(), id, version, migration == null ? null : migration.forTask());
    }

    @Override
    public String toString() {
        return signature() + " version " + version;
    }
}
