package io.weir.storage.pagefile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged segments are told apart from good ones, wherever the damage is, and never crash or hang the reader. */
final class PageFuzzTest {
    private static final int ROUNDS = 9_000;
    private static final int DISK_ROUNDS = 1_000;
    private static final int FITTED_ROUNDS = 10_000;
    private static final long SEED = 20_240_612;
    private static final int[] KEY_GROUPS = {0, 1, 9};
    private static final Pattern MESSAGE =
            Pattern.compile(".*/fuzzed at offset \\d+: expected .+, found .+", Pattern.DOTALL);

    private static SegmentHandle write(final FileStore files, final Path path) {
        final Random random = new Random(3);
        final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        try (PageSegmentWriter writer = PageSegmentWriter.create(files, path, "fuzzed")) {
            for (int table = 0; table < 2; table++) {
                writer.table("table " + table, "attributes of " + table);
                for (final int keyGroup : KEY_GROUPS) {
                    for (int number = 0; number < 12; number++) {
                        random.nextBytes(page.byteArray());
                        page.setMemory(64, 64 * 60, (byte) 0);
                        writer.page(table, keyGroup, 3 * number, mask(number, random), page, 0);
                    }
                }
            }
            // One group of two blocks.
            for (int number = 0; number < 9; number++) {
                random.nextBytes(page.byteArray());
                writer.page(1, 10, number, -1L, page, 0);
            }
            return writer.finish();
        }
    }

    private static long mask(final int number, final Random random) {
        return switch (number % 5) {
            case 0 -> 1L << random.nextInt(64);
            case 1 -> (1L << random.nextInt(32)) | (1L << (32 + random.nextInt(32)));
            case 2 -> (random.nextLong() & 0x8421_0842_1084_2108L) | 7;
            case 3 -> -1L;
            default -> 0;
        };
    }

    private static byte[] damage(final byte[] good, final Random random) {
        final byte[] bytes = good.clone();
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 4, 5 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 6 -> {
                final int start = random.nextInt(bytes.length);
                Arrays.fill(bytes, start, Math.min(bytes.length, start + 1 + random.nextInt(512)), (byte) 0);
            }
            default -> {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
            }
        }
        return bytes;
    }

    /** A checksum of everything that a file tells. */
    private static long readAll(final FileStore files, final Path path, final SegmentHandle handle) {
        final CRC32C all = new CRC32C();
        final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        try (PageChain chain = new PageChain(List.of(PageSegmentReader.open(files, path, handle)))) {
            for (final String table : chain.tables()) {
                all.update((table + '=' + chain.attributes(table)).getBytes(StandardCharsets.UTF_8));
                for (int keyGroup = 0; keyGroup < 11; keyGroup++) {
                    final GroupImage image = chain.image(table, keyGroup);
                    all.update(image.endPageNumber());
                    for (int i = 0; i < image.pages(); i++) {
                        all.update(image.pageNumber(i));
                        image.readLine0(image.pageNumber(i), page, 0);
                        all.update(page.byteArray(), 0, PageFormat.LINE_LENGTH);
                        image.read(image.pageNumber(i), page, 0);
                        all.update(page.byteArray());
                    }
                }
            }
        }
        return all.getValue();
    }

    private static void assertNamed(final CorruptionException e) {
        assertTrue(MESSAGE.matcher(e.getMessage()).matches(), e::getMessage);
    }

    private static void fuzz(final FileStore files, final Path path, final int rounds) {
        final SegmentHandle handle = write(files, path);
        final byte[] good = DurableFile.read(files, path, 1 << 20);
        final long expected = readAll(files, path, handle);
        final Random random = new Random(SEED);
        for (int round = 0; round < rounds; round++) {
            final byte[] bad = damage(good, random);
            DurableFile.replace(files, path, ByteBuffer.wrap(bad));
            try {
                final long found = readAll(files, path, handle);
                assertEquals(expected, found, "round " + round + " of seed " + SEED);
                assertTrue(Arrays.equals(good, bad), "round " + round + " of seed " + SEED + " was not seen");
            } catch (final CorruptionException e) {
                assertNamed(e);
            } catch (final RuntimeException e) {
                fail("round " + round + " of seed " + SEED, e);
            }
        }
    }

    @Test
    void shouldRefuseEveryDamagedSegment() {
        fuzz(new MemoryFileStore(), Path.of("/fuzzed"), ROUNDS);
    }

    @Test
    void shouldRefuseEveryDamagedSegmentOnARealDisk(@TempDir final Path directory) {
        fuzz(new DiskFileStore(), directory.resolve("fuzzed"), DISK_ROUNDS);
    }

    @Test
    void shouldNeitherHangNorCrashOnASegmentWhoseChecksumsWereAllMadeToFit() {
        final MemoryFileStore files = new MemoryFileStore();
        final Path path = Path.of("/fuzzed");
        final SegmentHandle handle = write(files, path);
        final byte[] good = DurableFile.read(files, path, 1 << 20);
        final Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < FITTED_ROUNDS; round++) {
            final byte[] bad = good.clone();
            for (int flips = 1 + random.nextInt(2); flips > 0; flips--) {
                bad[structuralPlace(good, random)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 8);
            }
            final SegmentHandle fitting = mendChecksums(bad, good, handle);
            DurableFile.replace(files, path, ByteBuffer.wrap(bad));
            try {
                readAll(files, path, fitting);
            } catch (final CorruptionException e) {
                assertNamed(e);
                refused++;
            } catch (final RuntimeException e) {
                fail("round " + round + " of seed " + SEED, e);
            }
        }
        assertTrue(refused > FITTED_ROUNDS / 4, "only " + refused + " were refused");
        assertNotEquals(FITTED_ROUNDS, refused);
    }

    /** Mostly a place that no line's bytes take: the header, the first block's beginning, the index, the footer. */
    private static int structuralPlace(final byte[] good, final Random random) {
        final int index = (int)
                ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getLong(good.length - PageFormat.FOOTER_LENGTH);
        return random.nextBoolean()
                ? random.nextInt(PageFormat.HEADER_LENGTH + PageFormat.BLOCK_HEADER_LENGTH + 400)
                : index + random.nextInt(good.length - index);
    }

    /** Makes all checksums fit, where those stand in the undamaged file. */
    private static SegmentHandle mendChecksums(final byte[] bad, final byte[] good, final SegmentHandle handle) {
        final ByteBuffer file = ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN);
        final ByteBuffer map = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(PageFormat.HEADER_CHECKSUM, PageFormat.checksum(file.slice(0, PageFormat.HEADER_CHECKSUM)));
        final int footer = bad.length - PageFormat.FOOTER_LENGTH;
        final int index = (int) map.getLong(footer);
        final int payload = map.getInt(PageFormat.HEADER_LENGTH + PageFormat.BLOCK_PAYLOAD_LENGTH);
        final int block = PageFormat.HEADER_LENGTH;
        final int checksum = PageFormat.checksum(
                file.slice(block, PageFormat.BLOCK_CHECKSUM),
                file.slice(block + PageFormat.BLOCK_HEADER_LENGTH, payload));
        final int before = map.getInt(block + PageFormat.BLOCK_CHECKSUM);
        for (int place = index; place < footer - 3; place++) {
            if (map.getInt(place) == before) {
                file.putInt(place, checksum);
            }
        }
        file.putInt(block + PageFormat.BLOCK_CHECKSUM, checksum);
        file.putInt(footer + PageFormat.FOOTER_INDEX_CHECKSUM, PageFormat.checksum(file.slice(index, footer - index)));
        file.putInt(
                footer + PageFormat.FOOTER_CHECKSUM,
                PageFormat.checksum(file.slice(footer, PageFormat.FOOTER_CHECKSUM)));
        final int vouching = PageFormat.checksum(file.slice(index, bad.length - index));
        return new SegmentHandle(handle.file(), bad.length, vouching, handle.entries());
    }
}
