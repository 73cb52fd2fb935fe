package io.weir.storage.state;

import org.agrona.DirectBuffer;

/**
 * Which key group a key belongs to, and which subtask owns a key group (the unit of rescaling, DESIGN section 5).
 *
 * <p>The hash is part of the format of checkpoints: it never changes.
 */
public final class KeyGroups {
    /** The default number of key groups of a job; fixed for the job's life. */
    public static final int DEFAULT_MAX_PARALLELISM = 128;

    /** The most key groups a job may have. */
    public static final int UPPER_BOUND_MAX_PARALLELISM = 32768;

    private KeyGroups() {}

    /**
     * The hash of a key's bytes.
     *
     * @param buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @return 32 well-mixed bits.
     */
    public static int hash(final DirectBuffer buffer, final int offset, final int length) {
        long hash = 0x9E3779B97F4A7C15L ^ length;
        int index = offset;
        final int end = offset + length;
        for (; index + Long.BYTES <= end; index += Long.BYTES) {
            hash = mix(hash ^ buffer.getLong(index, java.nio.ByteOrder.LITTLE_ENDIAN));
        }
        if (index < end) {
            long tail = 0;
            for (int shift = 0; index < end; index++, shift += Byte.SIZE) {
                tail |= (buffer.getByte(index) & 0xFFL) << shift;
            }
            hash = mix(hash ^ tail);
        }
        return (int) (mix(hash) >>> Integer.SIZE);
    }

    /**
     * The key group of a hash.
     *
     * @param hash of the key.
     * @param maxParallelism number of key groups.
     * @return in [0, maxParallelism).
     */
    public static int ofHash(final int hash, final int maxParallelism) {
        return (int) (((hash & 0xFFFFFFFFL) * maxParallelism) >>> Integer.SIZE);
    }

    /**
     * The key group of a source partition: partitions are spread as evenly as key groups allow, the lower indices first
     * (bit reversal, so that any leading run of partitions is spread over all subtasks).
     *
     * @param partition index of the partition in its log.
     * @param maxParallelism number of key groups.
     * @return in [0, maxParallelism).
     */
    public static int ofPartition(final int partition, final int maxParallelism) {
        return ofHash(Integer.reverse(partition), maxParallelism);
    }

    /**
     * The subtask that owns a key group.
     *
     * @param keyGroup in [0, maxParallelism).
     * @param maxParallelism number of key groups.
     * @param parallelism number of subtasks, at most maxParallelism.
     * @return in [0, parallelism).
     */
    public static int owner(final int keyGroup, final int maxParallelism, final int parallelism) {
        return keyGroup * parallelism / maxParallelism;
    }

    /**
     * The first key group of a subtask's range; the range ends before {@code first(subtask + 1)}.
     *
     * @param subtask in [0, parallelism].
     * @param maxParallelism number of key groups.
     * @param parallelism number of subtasks.
     * @return the first key group, inclusive.
     */
    public static int first(final int subtask, final int maxParallelism, final int parallelism) {
        return (subtask * maxParallelism + parallelism - 1) / parallelism;
    }

    private static long mix(final long value) {
        long z = value * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 32)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 29);
    }
}
