package io.weir.storage.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.MemoryFileStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Damaged files are told apart from good ones, wherever the damage is, and never crash or hang the reader. */
final class FormatFuzzTest {
    private static final int ROUNDS = 4000;
    private static final long SEED = 20_240_611;
    private static final Path FILE = Path.of("/fuzzed");
    private static final Pattern MESSAGE =
            Pattern.compile("(/fuzzed|m) at offset \\d+: expected .+, found .+", Pattern.DOTALL);

    private static byte[] damage(final byte[] good, final Random random) {
        final byte[] bytes = good.clone();
        switch (random.nextInt(4)) {
            case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 2 -> {
                final int start = random.nextInt(bytes.length);
                Arrays.fill(bytes, start, Math.min(bytes.length, start + 1 + random.nextInt(512)), (byte) 0);
            }
            default -> {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
            }
        }
        return bytes;
    }

    private static int crc(final byte[] bytes, final int length) {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    private static void assertNamed(final CorruptionException e) {
        assertTrue(MESSAGE.matcher(e.getMessage()).matches(), e::getMessage);
    }

    /** A manifest of each version. */
    private static List<byte[]> manifests() throws Exception {
        return List.of(Golden.bytes("manifest-1.bin"), ManifestCodec.encode(ManifestCodecTest.GOLDEN_2));
    }

    @Test
    void shouldRefuseEveryDamagedManifest() throws Exception {
        for (final byte[] good : manifests()) {
            final Random random = new Random(SEED);
            for (int round = 0; round < ROUNDS; round++) {
                final byte[] bad = damage(good, random);
                if (Arrays.equals(good, bad)) {
                    continue;
                }
                try {
                    fail("round " + round + " of seed " + SEED + " was read as " + ManifestCodec.decode("m", bad));
                } catch (final CorruptionException e) {
                    assertNamed(e);
                }
            }
        }
    }

    @Test
    void shouldSurviveEveryManifestWhoseChecksumWasMadeToFit() throws Exception {
        for (final byte[] good : manifests()) {
            final Random random = new Random(SEED);
            int refused = 0;
            for (int round = 0; round < ROUNDS; round++) {
                final byte[] bad = good.clone();
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    bad[random.nextInt(bad.length)] = (byte) random.nextInt();
                }
                final int end = bad.length - Integer.BYTES;
                ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(end, crc(bad, end));
                try {
                    ManifestCodec.decode("m", bad);
                } catch (final CorruptionException e) {
                    assertNamed(e);
                    refused++;
                }
            }
            assertTrue(refused > ROUNDS / 4, "only " + refused + " were refused");
        }
    }

    /** A segment of three sections, some 20 KB, and its handle; the entries are numbered bytes. */
    private static SegmentHandle writeSegment(final FileStore files) {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[256]);
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.putByte(i, (byte) i);
        }
        try (SegmentWriter writer = SegmentFiles.create(files, FILE, "chk-1/fuzzed.segment")) {
            for (int section = 0; section < 3; section++) {
                writer.beginSection("section/" + section, "attributes of " + section);
                for (int i = 0; i < 60; i++) {
                    writer.entry(i, bytes, 0, i * 4);
                }
            }
            return writer.finish();
        }
    }

    private static long readAll(final FileStore files, final SegmentHandle handle) {
        final CRC32C checksum = new CRC32C();
        try (SegmentReader reader = SegmentFiles.open(files, FILE, handle)) {
            for (final SegmentReader.Section section : reader.sections()) {
                checksum.update(section.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                reader.forEach(section.name(), (keyGroup, buffer, offset, length) -> {
                    checksum.update(keyGroup);
                    for (int i = 0; i < length; i++) {
                        checksum.update(buffer.getByte(offset + i));
                    }
                });
            }
        }
        return checksum.getValue();
    }

    @Test
    void shouldRefuseEveryDamagedSegment() {
        final MemoryFileStore files = new MemoryFileStore();
        final SegmentHandle handle = writeSegment(files);
        final byte[] good = DurableFile.read(files, FILE, 1 << 20);
        final Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            final byte[] bad = damage(good, random);
            if (Arrays.equals(good, bad)) {
                continue;
            }
            DurableFile.replace(files, FILE, ByteBuffer.wrap(bad));
            try {
                readAll(files, handle);
                fail("round " + round + " of seed " + SEED + " was read");
            } catch (final CorruptionException e) {
                assertNamed(e);
            }
        }
    }

    @Test
    void shouldRefuseEveryDamagedSegmentEvenIfItsHandleFits() {
        final MemoryFileStore files = new MemoryFileStore();
        final SegmentHandle handle = writeSegment(files);
        final byte[] good = DurableFile.read(files, FILE, 1 << 20);
        final long expected = readAll(files, handle);
        final Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            final byte[] bad = damage(good, random);
            if (Arrays.equals(good, bad)) {
                continue;
            }
            DurableFile.replace(files, FILE, ByteBuffer.wrap(bad));
            final SegmentHandle fitting =
                    new SegmentHandle(handle.file(), bad.length, crc(bad, bad.length), handle.entries());
            try {
                final long found = readAll(files, fitting);
                fail("round " + round + " of seed " + SEED + " was read as " + found + ", good is " + expected);
            } catch (final CorruptionException e) {
                assertNamed(e);
            }
        }
    }

    @Test
    void shouldNeitherHangNorCrashOnASegmentWhoseChecksumsWereAllMadeToFit() {
        final MemoryFileStore files = new MemoryFileStore();
        final SegmentHandle handle = writeSegment(files);
        final byte[] good = DurableFile.read(files, FILE, 1 << 20);
        final Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            final byte[] bad = good.clone();
            // Mostly the structure: the first block's header and entries, the index and the footer.
            for (int flips = 1 + random.nextInt(2); flips > 0; flips--) {
                final int place = random.nextInt(240);
                bad[place < 100 ? place : bad.length - 240 + place] = (byte) random.nextInt();
            }
            mendChecksums(bad, good);
            DurableFile.replace(files, FILE, ByteBuffer.wrap(bad));
            final SegmentHandle fitting =
                    new SegmentHandle(handle.file(), bad.length, crc(bad, bad.length), handle.entries());
            try {
                readAll(files, fitting);
            } catch (final CorruptionException e) {
                assertNamed(e);
                refused++;
            }
        }
        assertTrue(refused > ROUNDS / 4, "only " + refused + " were refused");
        assertEquals(0, files.list(FILE.getParent()).indexOf("fuzzed"));
    }

    /** Makes the checksums of header, first block, index and footer fit, where those stand in the undamaged file. */
    private static void mendChecksums(final byte[] bad, final byte[] good) {
        final ByteBuffer file = ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN);
        final ByteBuffer map = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(SegmentFormat.HEADER_CHECKSUM, crc(bad, SegmentFormat.HEADER_CHECKSUM));
        final int block = SegmentFormat.HEADER_LENGTH;
        final CRC32C checksum = new CRC32C();
        checksum.update(bad, block, SegmentFormat.BLOCK_CHECKSUM);
        final int payload = map.getInt(block + SegmentFormat.BLOCK_PAYLOAD_LENGTH);
        checksum.update(bad, block + SegmentFormat.BLOCK_HEADER_LENGTH, payload);
        file.putInt(block + SegmentFormat.BLOCK_CHECKSUM, (int) checksum.getValue());
        final int footer = bad.length - SegmentFormat.FOOTER_LENGTH;
        final int index = (int) map.getLong(footer);
        final int indexLength = map.getInt(footer + SegmentFormat.FOOTER_INDEX_LENGTH);
        file.putInt(
                footer + SegmentFormat.FOOTER_INDEX_CHECKSUM,
                SegmentFormat.checksum(ByteBuffer.wrap(bad, index, indexLength)));
        file.putInt(
                footer + SegmentFormat.FOOTER_CHECKSUM,
                SegmentFormat.checksum(ByteBuffer.wrap(bad, footer, SegmentFormat.FOOTER_CHECKSUM)));
    }
}
