package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class KeyGroupsTest {
    private static int hash(final String key) {
        final UnsafeBuffer bytes = StateModel.bytes("..." + key + "...");
        return KeyGroups.hash(bytes, 3, bytes.capacity() - 6);
    }

    private static void assertRanges(final int maxParallelism, final int parallelism) {
        final String what = "maxParallelism=" + maxParallelism + " parallelism=" + parallelism;
        int next = 0;
        for (int subtask = 0; subtask < parallelism; subtask++) {
            final int first = KeyGroups.first(subtask, maxParallelism, parallelism);
            final int end = KeyGroups.first(subtask + 1, maxParallelism, parallelism);
            assertEquals(next, first, what);
            assertTrue(end > first, what);
            for (int keyGroup = first; keyGroup < end; keyGroup++) {
                assertEquals(subtask, KeyGroups.owner(keyGroup, maxParallelism, parallelism), what);
            }
            next = end;
        }
        assertEquals(maxParallelism, next, what);
    }

    /** FC-127. */
    @Test
    void shouldCutKeyGroupsIntoContiguousDisjointRangesThatTheirOwnersAgreeWith() {
        assertRanges(1, 1);
        assertRanges(13, 1);
        assertRanges(13, 2);
        assertRanges(32767, 1);
        assertRanges(32767, 13);
        assertRanges(32767, 32767);
        assertRanges(KeyGroups.UPPER_BOUND_MAX_PARALLELISM, KeyGroups.UPPER_BOUND_MAX_PARALLELISM);
        final Random random = new Random(127);
        for (int i = 0; i < 1000; i++) {
            final int maxParallelism = 1 + random.nextInt(KeyGroups.UPPER_BOUND_MAX_PARALLELISM);
            assertRanges(maxParallelism, 1 + random.nextInt(maxParallelism));
        }
    }

    /** The hash is part of the format: with other values, old checkpoints can't be rescaled. */
    @Test
    void shouldNeverChangeTheHash() {
        final StringBuilder hashes = new StringBuilder();
        for (final String key :
                new String[] {"", "a", "b", "EURUSD", "12345678", "123456789", "\u0000", "\u00ff".repeat(17)}) {
            hashes.append(Integer.toHexString(hash(key))).append(' ');
        }

        assertEquals(
                "c1b2082c 2fa8fd9f 9fd6a8cd ca8f671 866865e4 75b620 813ef87a 4f9812b9",
                hashes.toString().trim());
    }

    @Test
    void shouldNotDependOnWhereTheKeyLies() {
        final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
        direct.putBytes(33, StateModel.bytes("some longer key"), 0, 15);

        assertEquals(hash("some longer key"), KeyGroups.hash(direct, 33, 15));
    }

    @Test
    void shouldSpreadKeysEvenlyOverKeyGroups() {
        final int[] counts = new int[KeyGroups.DEFAULT_MAX_PARALLELISM];
        final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
        for (int i = 0; i < 128_000; i++) {
            key.putLong(0, i);
            counts[KeyGroups.ofHash(KeyGroups.hash(key, 0, 8), counts.length)]++;
        }

        // 1000 are expected in each; six standard deviations are 190.
        assertTrue(
                Arrays.stream(counts).allMatch(count -> Math.abs(count - 1000) < 190), () -> Arrays.toString(counts));
    }

    @Test
    void shouldSpreadAnyRunOfPartitionsEvenlyOverSubtasks() {
        for (int parallelism = 1; parallelism <= 8; parallelism++) {
            for (int partitions = 1; partitions <= 64; partitions++) {
                final int[] counts = new int[parallelism];
                for (int partition = 0; partition < partitions; partition++) {
                    final int keyGroup = KeyGroups.ofPartition(partition, KeyGroups.DEFAULT_MAX_PARALLELISM);
                    counts[KeyGroups.owner(keyGroup, KeyGroups.DEFAULT_MAX_PARALLELISM, parallelism)]++;
                }
                final int most = Arrays.stream(counts).max().orElseThrow();
                final int least = Arrays.stream(counts).min().orElseThrow();
                final boolean powerOfTwo = Integer.bitCount(parallelism) == 1;
                assertTrue(
                        most - least <= (powerOfTwo ? 1 : 4),
                        partitions + " partitions over " + parallelism + " subtasks: " + Arrays.toString(counts));
            }
        }
    }

    @Test
    void shouldGiveEachOfTheFirstPartitionsItsOwnKeyGroup() {
        final long distinct = java.util.stream.IntStream.range(0, 128)
                .map(partition -> KeyGroups.ofPartition(partition, 128))
                .distinct()
                .count();

        assertEquals(128, distinct);
    }
}
