package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Bit flips, truncations and overwritten runs in the segments of a chain: restoring it either says that they are damaged, or
 * gives the very same answers. Whoever looks at the state finds out, at the restore or at the first touch.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CorruptionThroughBackendTest {
    private static final int ROUNDS = Integer.getInteger("weir.test.rounds", 10_000);
    private static final long SEED = 77_001;

    @Test
    void shouldGiveTheSameAnswersOrSayWhatIsDamaged() {
        // given
        final SmallState state = SmallState.write();
        final List<byte[]> good = new ArrayList<>();
        for (final SegmentHandle segment : state.chain()) {
            good.add(SmallState.bytes(state.files(), segment));
        }
        final String expected = SmallState.answers(state.files(), state.chain());
        int detected = 0;

        // when
        for (int round = 0; round < ROUNDS; round++) {
            final Random random = new Random(SEED + round);
            final int file = random.nextInt(good.size());
            final MemoryFileStore files = new MemoryFileStore();
            for (int i = 0; i < good.size(); i++) {
                final byte[] bytes = i == file ? damage(good.get(i), random) : good.get(i);
                SmallState.put(files, Path.of("/", state.chain().get(i).file()), bytes);
            }
            try {
                assertEquals(expected, SmallState.answers(files, state.chain()), "seed " + (SEED + round));
            } catch (final CorruptionException e) {
                detected++;
            } catch (final RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + (SEED + round) + ": " + e, e);
            }
        }

        // then
        assertTrue(detected > ROUNDS * 9 / 10, detected + " of " + ROUNDS);
    }

    private static byte[] damage(final byte[] good, final Random random) {
        final byte[] bytes = good.clone();
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 3 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 4 -> {
                final int start = random.nextInt(bytes.length);
                final byte[] noise = new byte[Math.min(bytes.length - start, 1 + random.nextInt(512))];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, bytes, start, noise.length);
            }
            default -> {
                final int length = 1 + random.nextInt(512);
                final int from = random.nextInt(bytes.length - length);
                System.arraycopy(bytes, from, bytes, random.nextInt(bytes.length - length), length);
            }
        }
        return bytes;
    }

    @Test
    void shouldHaveAChainOfSeveralSegmentsToDamage() {
        // given, when
        final SmallState state = SmallState.write();

        // then
        assertTrue(state.chain().size() > 2, state.chain()::toString);
        try (PageChain chain = SmallState.open(state.files(), state.chain())) {
            assertEquals(2, chain.tables().size());
        }
        assertTrue(ByteBuffer.wrap(SmallState.bytes(state.files(), state.chain().get(0)))
                        .remaining()
                > Page.LENGTH);
    }
}
