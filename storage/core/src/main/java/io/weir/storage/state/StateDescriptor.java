package io.weir.storage.state;

import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Describes one state for a backend and for the manifest.
 *
 * @param name unique within its operator's uid: {@code uid/state}.
 * @param keyCodec text of the codec of its keys, see {@link CodecText}.
 * @param valueCodec text of the codec of its values.
 * @param expiry tells which values are of no use any more, null if all are; it may change from run to run and is not in
 *     snapshots.
 * @param migration rewrites values of older versions of the value codec, null if there is none; it is not in snapshots.
 */
public record StateDescriptor(
        String name, String keyCodec, String valueCodec, Expiry expiry, ValueMigration migration) {
    /** Checks that nothing is null and the name is not blank. */
    public StateDescriptor {
        Objects.requireNonNull(keyCodec, "keyCodec");
        Objects.requireNonNull(valueCodec, "valueCodec");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a state needs a name");
        }
    }

    /**
     * A state whose values are of use until they are removed.
     *
     * @param name unique within its operator's uid: {@code uid/state}.
     * @param keyCodec text of the codec of its keys.
     * @param valueCodec text of the codec of its values.
     */
    public StateDescriptor(final String name, final String keyCodec, final String valueCodec) {
        this(name, keyCodec, valueCodec, null, null);
    }

    /**
     * The same state with a migration.
     *
     * @param newMigration rewrites values of older versions of the value codec, null for none.
     * @return the descriptor.
     */
    public StateDescriptor migratedBy(final ValueMigration newMigration) {
        return new StateDescriptor(name, keyCodec, valueCodec, expiry, newMigration);
    }

    /**
     * The same state with values that expire.
     *
     * @param newExpiry tells which ones, null for none.
     * @return the descriptor.
     */
    public StateDescriptor expiringBy(final Expiry newExpiry) {
        return new StateDescriptor(name, keyCodec, valueCodec, newExpiry, migration);
    }

    /**
     * Whether another descriptor has the same codecs.
     *
     * @param other to compare with.
     * @return true if a table of the one can be read as a table of the other.
     */
    public boolean hasCodecsOf(final StateDescriptor other) {
        return keyCodec.equals(other.keyCodec) && valueCodec.equals(other.valueCodec);
    }

    /**
     * Values that expire carry a stamp: the time from which their life counts, 8 bytes little-endian, epoch nanoseconds.
     *
     * @param stampOffset of the stamp in the value.
     * @param ttlNs how long a value is of use from its stamp on, positive.
     */
    public record Expiry(int stampOffset, long ttlNs) {
        /** Checks the ranges. */
        public Expiry {
            if (stampOffset < 0 || ttlNs <= 0) {
                throw new IllegalArgumentException(
                        "stampOffset=" + stampOffset + " must be >= 0, ttlNs=" + ttlNs + " > 0");
            }
        }

        /**
         * Whether a value has expired. A value whose stamp lies in the future has not.
         *
         * @param value that carries its stamp.
         * @param nowNs epoch nanoseconds.
         * @return true if its life is over.
         */
        public boolean hasExpired(final DirectBuffer value, final long nowNs) {
            return isOver(value.getLong(stampOffset, ByteOrder.LITTLE_ENDIAN), nowNs);
        }

        /**
         * Whether a life is over.
         *
         * @param stampNs from which it counts, epoch nanoseconds.
         * @param nowNs epoch nanoseconds.
         * @return true if so.
         */
        public boolean isOver(final long stampNs, final long nowNs) {
            return nowNs >= Long.MIN_VALUE + ttlNs && stampNs <= nowNs - ttlNs;
        }
    }
}
