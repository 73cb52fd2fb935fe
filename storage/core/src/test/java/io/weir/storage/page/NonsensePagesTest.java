package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.page.CraftedPages.Placed;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.state.KeyedStateStore;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Pages whose checksums are right and whose inside is nonsense, as a fault of a program that wrote them would leave it: reading
 * and changing the state ends in a CorruptionException or goes well, but nothing else is thrown and nothing goes round for
 * ever.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NonsensePagesTest {
    private static final int ROUNDS = Integer.getInteger("weir.test.rounds", 4_000);
    private static final long SEED = 88_001;
    private static final int[] HEADER = {20, 24, 28, 29, 30, 31, 32, 36, 40, 42, 44, 48, 52, 56};

    @Test
    void shouldRefuseNonsenseWithRightChecksums() {
        // given
        final CraftedPages pages = CraftedPages.read();
        int refused = 0;

        // when
        for (int round = 0; round < ROUNDS; round++) {
            final Random random = new Random(SEED + round);
            final Placed victim = victim(pages.pages(), random);
            final byte[] good = victim.bytes().byteArray().clone();
            damage(victim.bytes(), random);
            try {
                use(pages, random);
            } catch (final CorruptionException e) {
                refused++;
            } catch (final RuntimeException | Error e) {
                throw new AssertionError("seed " + (SEED + round) + ", " + victim + ": " + e, e);
            } finally {
                victim.bytes().putBytes(0, good);
            }
        }

        // then
        assertTrue(refused > ROUNDS / 4, refused + " of " + ROUNDS);
    }

    /** Half of the time a page that points at something: most are full of payload. */
    private static Placed victim(final List<Placed> pages, final Random random) {
        final boolean isAny = random.nextBoolean();
        while (true) {
            final Placed page = pages.get(random.nextInt(pages.size()));
            if (isAny || page.page().kind() != Page.OVERFLOW) {
                return page;
            }
        }
    }

    private static void damage(final UnsafeBuffer page, final Random random) {
        final int places = 1 + random.nextInt(2);
        for (int i = 0; i < places; i++) {
            final int kind = random.nextInt(8);
            final int at = kind < 3
                    ? HEADER[random.nextInt(HEADER.length)]
                    : kind < 6 ? 64 + 2 * random.nextInt(64) : random.nextInt(Page.LENGTH - 4);
            switch (random.nextInt(4)) {
                case 0 -> page.putByte(at, (byte) random.nextInt());
                case 1 -> page.putShort(at, (short) random.nextInt());
                case 2 -> page.putInt(at, random.nextInt(8));
                default -> page.putByte(at, (byte) (page.getByte(at) ^ (1 << random.nextInt(8))));
            }
        }
    }

    private static void use(final CraftedPages pages, final Random random) {
        try (KeyedStateStore store = pages.restore()) {
            if (random.nextBoolean()) {
                SmallState.answers(store);
            }
            for (int i = 0; i < 60; i++) {
                final int number = random.nextInt(80);
                final UnsafeBuffer key = SmallState.key(number);
                switch (random.nextInt(4)) {
                    case 0 -> SmallState.setTimer(store, number, random.nextInt(5));
                    case 1 ->
                        store.valueTable(SmallState.VALUES)
                                .remove(number % SmallState.KEY_GROUPS, key, 0, key.capacity());
                    case 2 ->
                        store.timerTable(SmallState.TIMERS, "bytes")
                                .cancel(number % SmallState.KEY_GROUPS, random.nextInt(5), key, 0, key.capacity());
                    default -> SmallState.put(store, number, random.nextInt(6000));
                }
            }
            SmallState.answers(store);
            FolderSegments.write(1, store.freeze());
        }
    }
}
