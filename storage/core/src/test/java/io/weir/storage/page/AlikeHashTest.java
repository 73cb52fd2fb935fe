package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that somebody chose so that their hashes are the same, or begin alike. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AlikeHashTest {
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "bytes", "bytes");
    private static final long SEED = 55_001;

    private final FolderSegments segments = new FolderSegments(new MemoryFileStore());
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[2048]);
    private final UnsafeBuffer found = new UnsafeBuffer(0, 0);

    /** A key of 16 bytes; all have the same hash. */
    private static UnsafeBuffer sameHash(final long number) {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[16]);
        key.putLong(0, number);
        key.putLong(8, mix(0xC2B2AE3D27D4EB4FL + 16 ^ number));
        return key;
    }

    /** As {@link KeyBytes} mixes. */
    private static long mix(final long mixed) {
        long z = mixed * 0x9FB21C651E98DF25L;
        z = (z ^ (z >>> 35)) * 0xD6E8FEB86659FD93L;
        return z ^ (z >>> 32);
    }

    /** The key of 8 bytes that has a hash: the mixing backwards. */
    private static UnsafeBuffer ofHash(final long hash) {
        long z = hash ^ (hash >>> 31) ^ (hash >>> 62);
        z = (z ^ (z >>> 32)) * inverse(0xD6E8FEB86659FD93L);
        z = (z ^ (z >>> 35)) * inverse(0x9FB21C651E98DF25L);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
        key.putLong(0, z ^ (0xC2B2AE3D27D4EB4FL + 8));
        return key;
    }

    private static long inverse(final long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    private void put(final ValueTable table, final UnsafeBuffer key, final int length, final long content) {
        value.setMemory(0, length, (byte) content);
        table.put(0, key, 0, key.capacity(), value, 0, length);
    }

    @Test
    void shouldKeepThousandsOfKeysOfOneHashApart() {
        // given
        final int keys = 4000;
        assertEquals(KeyBytes.hash(sameHash(1), 0, 16), KeyBytes.hash(sameHash(2), 0, 16));
        List<SegmentHandle> chain;
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            final ValueTable table = store.valueTable(STATE);

            // when
            for (int i = 0; i < keys; i++) {
                put(table, sameHash(i), 8 + i % 30, i);
            }
            for (int i = 0; i < keys; i += 3) {
                assertTrue(table.remove(0, sameHash(i), 0, 16));
            }
            chain = FolderSegments.write(1, store.freeze());
            final long pages = ((PageStateStore) store).pages().slabs().used();
            assertTrue(pages < keys * 60 / 2048, pages + " pages");
        }

        // then
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            store.restoreShared(chain, 0, 1);
            final ValueTable table = store.valueTable(STATE);
            for (int i = 0; i < keys; i++) {
                assertEquals(i % 3 != 0, table.get(0, sameHash(i), 0, 16, found), "key " + i);
                if (i % 3 != 0) {
                    assertEquals(8 + i % 30, found.capacity());
                    assertEquals((byte) i, found.getByte(0));
                }
            }
        }
    }

    @Test
    void shouldNotGrowADirectoryFarBeyondItsPages() {
        // given a few long entries in each key group, whose hashes begin alike
        final int groups = 64;
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(groups))) {
            final ValueTable table = store.valueTable(STATE);
            final long before = allocatedBytes();

            // when
            for (int group = 0; group < groups; group++) {
                for (int i = 0; i < 8; i++) {
                    final UnsafeBuffer key = ofHash(0x1234_5678_9ABC_0000L + i);
                    table.put(group, key, 0, 8, value, 0, 900);
                }
            }

            // then 8 entries of 900 bytes in each of 64 groups are half a megabyte
            final long allocated = allocatedBytes() - before;
            assertTrue(allocated < 8 << 20, allocated + " bytes on the heap");
            for (int group = 0; group < groups; group++) {
                for (int i = 0; i < 8; i++) {
                    assertTrue(table.get(group, ofHash(0x1234_5678_9ABC_0000L + i), 0, 8, found));
                }
            }
        }
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    @Test
    void shouldDissolveChainsOnceThereAreManyPages() {
        // given a chain of pages in a directory that may not grow for so few
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            final ValueTable table = store.valueTable(STATE);
            final Random random = new Random(SEED);
            for (int i = 0; i < 40; i++) {
                put(table, ofHash(0x1234_5000_0000_0000L + ((long) i << 40)), 900, i);
            }

            // when other entries make the directory grow
            for (int i = 0; i < 20_000; i++) {
                put(table, ofHash((random.nextLong() & ~(0x8000L << 48)) | (0x8000L << 48)), 100, i);
            }
            for (int i = 40; i < 80; i++) {
                put(table, ofHash(0x1234_5000_0000_0000L + ((long) i << 40)), 900, i);
            }

            // then
            for (int i = 0; i < 80; i++) {
                assertTrue(table.get(0, ofHash(0x1234_5000_0000_0000L + ((long) i << 40)), 0, 8, found), "key " + i);
                assertEquals((byte) i, found.getByte(0));
            }
            final int[] count = new int[1];
            table.forEach((group, key, each) -> count[0]++);
            assertEquals(table.size(), count[0]);
            assertEquals(20_080, count[0]);
        }
    }

    @Test
    void shouldHalveAFullPageWhoseEntriesAllGoToOneSide() {
        // given a page laid out for longer entries, full of shorter ones whose hashes begin alike
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            final ValueTable table = store.valueTable(STATE);
            for (int i = 0; i < 400; i++) {
                put(table, ofHash((long) i << 32 | 0xFFFL << 52), 40, i);
            }
            for (int i = 0; i < 400; i++) {
                put(table, ofHash((long) i << 32 | 0xFFFL << 52), 20, i);
            }

            // when
            for (int i = 400; i < 2000; i++) {
                put(table, ofHash((long) i << 30 | 0xFFFL << 52), 20, i);
            }

            // then
            for (int i = 400; i < 2000; i++) {
                assertTrue(table.get(0, ofHash((long) i << 30 | 0xFFFL << 52), 0, 8, found), "key " + i);
            }
        }
    }

    @Test
    void shouldMergeAPageOfFewLongEntriesWithOneOfManyShortOnes() {
        // given a long entry in the lower half of the hashes, and short ones in both, enough for two pages
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            final ValueTable table = store.valueTable(STATE);
            for (int i = 0; i < 400; i++) {
                put(table, ofHash((long) i << 20 | (long) (i & 1) << 63), 1, i);
            }

            // when all but a few of them are taken out
            for (int i = 0; i < 400; i += 2) {
                assertTrue(table.remove(0, ofHash((long) i << 20), 0, 8));
            }
            put(table, ofHash(7), 850, 7);
            for (int i = 1; i < 400; i += 2) {
                if (i > 90) {
                    assertTrue(table.remove(0, ofHash((long) i << 20 | 1L << 63), 0, 8));
                }
            }

            // then
            assertTrue(table.get(0, ofHash(7), 0, 8, found));
            assertEquals(850, found.capacity());
            for (int i = 1; i < 90; i += 2) {
                assertTrue(table.get(0, ofHash((long) i << 20 | 1L << 63), 0, 8, found), "key " + i);
            }
            assertFalse(table.get(0, ofHash(8), 0, 8, found));
        }
    }

    @Test
    void shouldAnswerAsAMapWhateverHashesAndLengths() {
        // given
        for (int round = 0; round < 60; round++) {
            final Random random = new Random(SEED + round);
            final Map<Long, Integer> model = new HashMap<>();
            final long prefix = random.nextLong();
            final int freeBits = 4 + random.nextInt(24);
            try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
                final ValueTable table = store.valueTable(STATE);

                // when
                int longest = 1;
                for (int i = 0; i < 6000; i++) {
                    if (i % 500 == 0) {
                        longest = 1 + random.nextInt(1 << (1 + random.nextInt(10)));
                    }
                    final long hash = (prefix & (-1L >>> freeBits))
                            | (random.nextLong() << (64 - freeBits))
                            | random.nextInt(300);
                    final UnsafeBuffer key = ofHash(hash);
                    if (random.nextInt(i / 1000 % 2 == 0 ? 6 : 2) > 0) {
                        final int length = random.nextInt(longest);
                        put(table, key, length, hash);
                        model.put(hash, length);
                    } else if (!model.isEmpty()) {
                        final long old = random.nextBoolean()
                                ? hash
                                : model.keySet().iterator().next();
                        assertEquals(model.remove(old) != null, table.remove(0, ofHash(old), 0, 8));
                    }
                }

                // then
                assertEquals(model.size(), table.size());
                model.forEach((hash, length) -> {
                    assertTrue(table.get(0, ofHash(hash), 0, 8, found));
                    assertEquals(length, found.capacity());
                });
            } catch (final RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + (SEED + round) + ": " + e, e);
            }
        }
    }
}
