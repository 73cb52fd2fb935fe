package io.weir.benchmarks.state;

import io.weir.storage.state.KeyGroups;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/** The keys: numbered, all different, without order; each in its key group. */
final class Keys {
    static final int KEY_LENGTH = Long.BYTES;
    static final int VALUE_LENGTH = 3 * Long.BYTES;
    static final int KEY_GROUPS = KeyGroups.DEFAULT_MAX_PARALLELISM;

    private Keys() {}

    /** A bijection of 64-bit numbers. */
    static long key(final long index) {
        long z = index * 0x9E3779B97F4A7C15L + 1;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        return z ^ (z >>> 27);
    }

    static int group(final long key, final UnsafeBuffer scratch) {
        scratch.putLong(0, key);
        return KeyGroups.ofHash(KeyGroups.hash(scratch, 0, KEY_LENGTH), KEY_GROUPS);
    }

    /** Keys to be looked up one after another. An operator knows the key group of a record, so it is not part of the figures. */
    static final class Draw {
        private final int[] indices;
        private final long[] keys;
        private final int[] groups;

        private Draw(final int[] indices, final long[] keys, final int[] groups) {
            this.indices = indices;
            this.keys = keys;
            this.groups = groups;
        }

        int[] indices() {
            return indices;
        }

        long[] keys() {
            return keys;
        }

        int[] groups() {
            return groups;
        }

        int size() {
            return keys.length;
        }

        /** Draws with putting back. */
        static Draw random(final int count, final int of, final SplittableRandom random) {
            return of(random.ints(count, 0, of).toArray());
        }

        /** All keys from the first to one before the last. */
        static Draw range(final int from, final int end) {
            final int[] indices = new int[end - from];
            for (int i = 0; i < indices.length; i++) {
                indices[i] = from + i;
            }
            return of(indices);
        }

        static Draw of(final int[] indices) {
            final long[] keys = new long[indices.length];
            final int[] groups = new int[indices.length];
            final UnsafeBuffer scratch = new UnsafeBuffer(new byte[KEY_LENGTH]);
            for (int i = 0; i < indices.length; i++) {
                keys[i] = key(indices[i]);
                groups[i] = group(keys[i], scratch);
            }
            return new Draw(indices, keys, groups);
        }
    }
}
