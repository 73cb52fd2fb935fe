package io.weir.storage.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.SimulatedFileStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class SegmentFileTest {
    private static final Path FILE = Path.of("/a.segment");
    private final SimulatedFileStore files = new SimulatedFileStore(1);

    private SegmentWriter create() {
        return SegmentFiles.create(files, FILE, "chk-1/a.segment");
    }

    private static void entry(final SegmentWriter writer, final int keyGroup, final String text) {
        final UnsafeBuffer bytes = new UnsafeBuffer(("__" + text).getBytes(StandardCharsets.UTF_8));
        writer.entry(keyGroup, bytes, 2, bytes.capacity() - 2);
    }

    private static List<String> read(final SegmentReader reader, final String section) {
        final List<String> entries = new ArrayList<>();
        final long count = reader.forEach(
                section,
                (keyGroup, buffer, offset, length) ->
                        entries.add(keyGroup + "=" + buffer.getStringWithoutLengthUtf8(offset, length)));
        assertEquals(entries.size(), count);
        return entries;
    }

    /** The segment that the golden file of version 1 holds. */
    static SegmentHandle writeGolden(final SegmentWriter writer) {
        writer.beginSection("value/count/total", "4:longlong");
        entry(writer, 0, "first");
        entry(writer, 127, "");
        writer.beginSection("empty", "");
        writer.beginSection("operator/source/positions", "größer");
        entry(writer, -1, "12345678");
        return writer.finish();
    }

    @Test
    void shouldReadWhatWasWritten() {
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }

        try (SegmentReader reader = SegmentFiles.open(files, FILE, handle)) {
            assertEquals(
                    List.of(
                            new SegmentReader.Section("value/count/total", "4:longlong", 2),
                            new SegmentReader.Section("empty", "", 0),
                            new SegmentReader.Section("operator/source/positions", "größer", 1)),
                    reader.sections());
            assertEquals(List.of("0=first", "127="), read(reader, "value/count/total"));
            assertEquals(List.of(), read(reader, "empty"));
            assertEquals(List.of(), read(reader, "absent"));
            assertEquals(List.of("-1=12345678"), read(reader, "operator/source/positions"));
        }
        assertEquals("chk-1/a.segment", handle.file());
        assertEquals(3, handle.entries());
        assertEquals(files.usedBytes(), handle.length());
    }

    @Test
    void shouldWriteTheGoldenFileOfVersion1() throws Exception {
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }

        final byte[] golden = Golden.bytes("segment-1.bin");

        assertArrayEquals(golden, DurableFile.read(files, FILE, 10_000));
        assertEquals(golden.length, handle.length());
    }

    @Test
    void shouldReadTheGoldenFileOfVersion1() throws Exception {
        final byte[] golden = Golden.bytes("segment-1.bin");
        DurableFile.replace(files, FILE, java.nio.ByteBuffer.wrap(golden));
        final SegmentHandle handle = new SegmentHandle("chk-1/a.segment", golden.length, Golden.SEGMENT_1_CHECKSUM, 3);

        try (SegmentReader reader = SegmentFiles.open(files, FILE, handle)) {
            assertEquals(List.of("0=first", "127="), read(reader, "value/count/total"));
            assertEquals(List.of("-1=12345678"), read(reader, "operator/source/positions"));
        }
    }

    @Test
    void shouldReadAnEmptySegment() {
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            handle = writer.finish();
        }

        try (SegmentReader reader = SegmentFiles.open(files, FILE, handle)) {
            assertEquals(List.of(), reader.sections());
        }
    }

    @Test
    void shouldReadEntriesOfAllLengthsOverManyBlocks() {
        final Random random = new Random(17);
        final List<String> expected = new ArrayList<>();
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            for (int section = 0; section < 3; section++) {
                writer.beginSection("s" + section, "");
                for (int i = 0; i < 400; i++) {
                    final int length = i % 100 == 0 ? 150_000 : random.nextInt(1000);
                    final String text = ("" + (char) ('a' + i % 26)).repeat(length);
                    entry(writer, i, text);
                    expected.add(i + "=" + text);
                }
            }
            handle = writer.finish();
        }

        try (SegmentReader reader = SegmentFiles.open(files, FILE, handle)) {
            final List<String> found = new ArrayList<>();
            for (int section = 0; section < 3; section++) {
                found.addAll(read(reader, "s" + section));
            }
            assertEquals(expected, found);
        }
    }

    @Test
    void shouldBeDurableOnceFinished() {
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }
        files.forceDirectory(Path.of("/"));

        files.crash();

        try (SegmentReader reader = SegmentFiles.open(files, FILE, handle)) {
            assertEquals(3, reader.sections().size());
        }
    }

    @Test
    void shouldDeleteAnAbandonedSegment() {
        try (SegmentWriter writer = create()) {
            writer.beginSection("a", "");
            entry(writer, 1, "x".repeat(200_000));
            assertTrue(files.usedBytes() > 200_000);
        }

        assertEquals(List.of(), files.list(Path.of("/")));
    }

    @Test
    void shouldFailWithTheReasonWhenTheDiskIsFullAndGiveTheSpaceBack() {
        files.capacity(100_000);
        try (SegmentWriter writer = create()) {
            writer.beginSection("a", "");

            final SnapshotException e =
                    assertThrows(SnapshotException.class, () -> entry(writer, 1, "x".repeat(200_000)));

            assertTrue(e.getMessage().contains("chk-1/a.segment"), e::getMessage);
            assertTrue(e.getMessage().contains("no space left"), e::getMessage);
            assertThrows(IllegalStateException.class, writer::finish);
        }
        assertEquals(0, files.usedBytes());
    }

    @Test
    void shouldFailWhenTheForceFails() {
        try (SegmentWriter writer = create()) {
            writer.beginSection("a", "");
            files.failAt(2);

            final SnapshotException e = assertThrows(SnapshotException.class, writer::finish);

            assertTrue(e.getMessage().contains("forced"), e::getMessage);
            assertThrows(IllegalStateException.class, writer::finish);
        }
        assertEquals(List.of(), files.list(Path.of("/")));
    }

    @Test
    void shouldRefuseWrongUse() {
        try (SegmentWriter writer = create()) {
            assertThrows(IllegalStateException.class, () -> entry(writer, 1, "before any section"));
            writer.beginSection("a", "");
            assertThrows(IllegalArgumentException.class, () -> writer.beginSection("a", ""));
            assertThrows(IllegalArgumentException.class, () -> entry(writer, -2, "x"));
            writer.finish();
            assertThrows(IllegalStateException.class, () -> writer.beginSection("b", ""));
        }
        assertEquals(List.of("a.segment"), files.list(Path.of("/")));
        assertThrows(SnapshotException.class, this::create);
    }

    @Test
    void shouldNameAMissingSegment() {
        final SegmentHandle handle = new SegmentHandle("chk-1/a.segment", 100, 0, 0);

        final CorruptionException e =
                assertThrows(CorruptionException.class, () -> SegmentFiles.open(files, FILE, handle));

        assertTrue(e.getMessage().contains("/a.segment"), e::getMessage);
    }

    @Test
    void shouldTellADiskThatCannotReadFromDamage() {
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }
        files.failAt(4);

        assertThrows(SnapshotException.class, () -> SegmentFiles.open(files, FILE, handle));
    }

    @Test
    void shouldTellAnotherSegmentFromTheRightOne() {
        final SegmentHandle handle;
        try (SegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }
        final SegmentHandle otherEntries =
                new SegmentHandle(handle.file(), handle.length(), handle.checksum(), handle.entries() + 1);
        final SegmentHandle otherLength =
                new SegmentHandle(handle.file(), handle.length() + 1, handle.checksum(), handle.entries());

        assertThrows(CorruptionException.class, () -> SegmentFiles.open(files, FILE, otherEntries));
        assertThrows(CorruptionException.class, () -> SegmentFiles.open(files, FILE, otherLength));
    }
}
