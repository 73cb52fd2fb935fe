package io.weir.storage.pagefile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.storage.file.DurableFile;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PageSegmentTest {
    private static final Path FILE = Path.of("/shared/a.pages");
    private static final String NAME = "shared/7-window-0.pages";
    private static final int GOLDEN_CHECKSUM = -1_093_267_886;
    private static final int GOLDEN_RECORDS = 16;

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private final CountingFileStore files = new CountingFileStore(disk);

    PageSegmentTest() {
        files.createDirectory(FILE.getParent());
        files.forceDirectory(Path.of("/"));
    }

    private PageSegmentWriter create() {
        return PageSegmentWriter.create(files, FILE, NAME);
    }

    private PageChain open(final SegmentHandle handle) {
        return new PageChain(List.of(PageSegmentReader.open(files, FILE, handle)));
    }

    /** A page whose lines are all different and none is zero. */
    private static UnsafeBuffer page(final int number) {
        final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        for (int line = 0; line < 64; line++) {
            page.setMemory(64 * line, 64, (byte) (1 + line));
            page.putByte(64 * line, (byte) (number + 1));
        }
        return page;
    }

    private static UnsafeBuffer sparsePage(final int number, final long mask) {
        final UnsafeBuffer page = page(number);
        for (int line = 0; line < 64; line++) {
            if ((mask & (1L << line)) == 0) {
                page.setMemory(64 * line, 64, (byte) 0);
            }
        }
        return page;
    }

    private static void writeFullPages(final PageSegmentWriter writer, final int keyGroup, final int count) {
        for (int number = 0; number < count; number++) {
            writer.page(0, keyGroup, number, -1L, page(number), 0);
        }
    }

    /** The segment that the golden file of version 1 holds: every form, and a group of two blocks. */
    static SegmentHandle writeGolden(final PageSegmentWriter writer) {
        writer.table("value/count/total", "4:longlong");
        writer.table("empty", "");
        writeFullPages(writer, 0, 10);
        final int timers = writer.table("timers", "größer");
        writer.page(timers, 1, 0, 1L << 63, page(0), 0);
        writer.page(timers, 1, 3, 1L | (1L << 40), page(3), 0);
        writer.page(timers, 1, 4, 0x8000_0000_0000_0F01L, page(4), 0);
        writer.page(timers, 1, PageFormat.MAX_PAGE_NUMBER, 0, page(0), 0);
        writer.page(timers, Integer.MAX_VALUE, 5, -1L, sparsePage(5, 0x10), 0);
        writer.page(timers, Integer.MAX_VALUE, 6, -1L, sparsePage(6, 0), 0);
        return writer.finish();
    }

    private static void checkGolden(final PageChain chain) {
        assertEquals(List.of("value/count/total", "empty", "timers"), chain.tables());
        assertEquals("4:longlong", chain.attributes("value/count/total"));
        assertEquals("größer", chain.attributes("timers"));
        final GroupImage count = chain.image("value/count/total", 0);
        assertEquals(10, count.pages());
        for (int number = 0; number < 10; number++) {
            checkPage(page(number), count, number);
        }
        final GroupImage timers = chain.image("timers", 1);
        assertEquals(3, timers.pages());
        assertEquals(5, timers.endPageNumber());
        checkPage(sparsePage(0, 1L << 63), timers, 0);
        checkPage(sparsePage(3, 1L | (1L << 40)), timers, 3);
        checkPage(sparsePage(4, 0x8000_0000_0000_0F01L), timers, 4);
        assertFalse(timers.has(PageFormat.MAX_PAGE_NUMBER));
        final GroupImage last = chain.image("timers", Integer.MAX_VALUE);
        assertEquals(7, last.endPageNumber());
        checkPage(sparsePage(5, 0x10), last, 5);
        checkPage(sparsePage(6, 0), last, 6);
        assertTrue(chain.isEmpty("empty", 0));
    }

    private static void checkPage(final UnsafeBuffer expected, final GroupImage image, final int pageNumber) {
        final UnsafeBuffer found = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        found.setMemory(0, PageFormat.PAGE_LENGTH, (byte) 0x55);
        image.read(pageNumber, found, 0);
        assertArrayEquals(expected.byteArray(), found.byteArray(), "page " + pageNumber);
    }

    private static byte[] golden() throws Exception {
        try (InputStream in = PageSegmentTest.class.getResourceAsStream("/golden/pages-1.bin")) {
            return in.readAllBytes();
        }
    }

    @Test
    void shouldReadWhatWasWritten() {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }

        try (PageChain chain = open(handle)) {
            checkGolden(chain);
            assertEquals(handle.length(), chain.bytes());
        }
        assertEquals(NAME, handle.file());
        assertEquals(GOLDEN_RECORDS, handle.entries());
        assertEquals(disk.usedBytes(), handle.length());
        assertEquals(0, files.open());
    }

    @Test
    void shouldWriteTheGoldenFileOfVersion1() throws Exception {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }

        final byte[] golden = golden();

        assertArrayEquals(golden, DurableFile.read(files, FILE, 100_000));
        assertEquals(new SegmentHandle(NAME, golden.length, GOLDEN_CHECKSUM, GOLDEN_RECORDS), handle);
    }

    @Test
    void shouldReadTheGoldenFileOfVersion1() throws Exception {
        final byte[] golden = golden();
        DurableFile.replace(files, FILE, ByteBuffer.wrap(golden));

        try (PageChain chain = open(new SegmentHandle(NAME, golden.length, GOLDEN_CHECKSUM, GOLDEN_RECORDS))) {
            checkGolden(chain);
        }
    }

    @Test
    void shouldReadASegmentWithoutPages() {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            writer.table("t", "a");
            handle = writer.finish();
        }

        try (PageChain chain = open(handle)) {
            assertEquals(List.of("t"), chain.tables());
            assertEquals(0, chain.image("t", 0).endPageNumber());
            assertTrue(chain.isEmpty("t", 0));
        }
        assertEquals(0, handle.entries());
    }

    @Test
    void shouldTakeAtMost70BytesForAChangedLine() {
        final int pages = 1000;
        final long empty;
        try (PageSegmentWriter writer = create()) {
            writer.table("t", "");
            empty = writer.finish().length();
        }
        files.delete(FILE);
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            writer.table("t", "");
            for (int number = 0; number < pages; number++) {
                writer.page(0, 0, number, 1L << (number % 64), page(number), 0);
            }
            handle = writer.finish();
        }

        final double bytes = (handle.length() - empty) / (double) pages;

        assertTrue(bytes <= 70, bytes + " bytes a line, blocks and index included");
    }

    @Test
    void shouldBeDurableOnceFinished() {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }
        files.forceDirectory(FILE.getParent());

        disk.crash();

        try (PageChain chain = open(handle)) {
            checkGolden(chain);
        }
    }

    @Test
    void shouldDeleteAnAbandonedSegment() {
        final PageSegmentWriter writer = create();
        writer.table("t", "");
        writeFullPages(writer, 0, 200);
        assertTrue(disk.usedBytes() > 100_000, "pages went out before");

        writer.close();
        writer.close();

        assertEquals(List.of(), files.list(FILE.getParent()));
        assertEquals(0, files.open());
        assertThrows(IllegalStateException.class, () -> writer.page(0, 1, 0, -1L, page(0), 0));
    }

    @Test
    void shouldFailWithTheReasonWhenTheDiskIsFullAndGiveTheSpaceBack() {
        for (final int capacity : new int[] {0, 100_000, 300_000, 820_000, 820_750}) {
            disk.capacity(capacity);
            try (PageSegmentWriter writer = create()) {
                writer.table("t", "");

                final SnapshotException e = assertThrows(SnapshotException.class, () -> {
                    writeFullPages(writer, 0, 200);
                    writer.finish();
                });

                assertTrue(e.getMessage().contains(NAME), e::getMessage);
                assertTrue(e.getMessage().contains("no space left"), e::getMessage);
                assertThrows(IllegalStateException.class, writer::finish);
                assertThrows(IllegalStateException.class, () -> writer.page(0, 1, 0, -1L, page(0), 0));
            }
            assertEquals(0, disk.usedBytes());
            assertEquals(0, files.open());
        }
        disk.capacity(821_500);
        try (PageSegmentWriter writer = create()) {
            writer.table("t", "");
            writeFullPages(writer, 0, 200);
            assertTrue(writer.finish().length() > 820_750, "the last capacity was too small by little");
        }
    }

    @Test
    void shouldFailWhenTheForceFails() {
        try (PageSegmentWriter writer = create()) {
            writer.table("t", "");
            writeFullPages(writer, 0, 3);
            disk.failAt(2);

            final SnapshotException e = assertThrows(SnapshotException.class, writer::finish);

            assertTrue(e.getMessage().contains(NAME + " can't be forced"), e::getMessage);
            assertThrows(IllegalStateException.class, writer::finish);
        }
        assertEquals(List.of(), files.list(FILE.getParent()));
        assertEquals(0, files.open());
    }

    @Test
    void shouldRefuseWrongUse() {
        try (PageSegmentWriter writer = create()) {
            assertThrows(IllegalArgumentException.class, () -> writer.page(0, 0, 0, -1L, page(0), 0));
            writer.table("t", "");
            writer.table("u", "");
            assertThrows(IllegalArgumentException.class, () -> writer.table("t", ""));
            assertThrows(IllegalArgumentException.class, () -> writer.page(-1, 0, 0, -1L, page(0), 0));
            assertThrows(IllegalArgumentException.class, () -> writer.page(2, 0, 0, -1L, page(0), 0));
            assertThrows(IllegalArgumentException.class, () -> writer.page(0, -1, 0, -1L, page(0), 0));
            assertThrows(IllegalArgumentException.class, () -> writer.page(0, 0, -1, -1L, page(0), 0));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> writer.page(0, 0, PageFormat.MAX_PAGE_NUMBER + 1, -1L, page(0), 0));
            assertThrows(IndexOutOfBoundsException.class, () -> writer.page(0, 0, 0, 1, page(0), 1));
            writer.page(0, 5, 7, -1L, page(0), 0);
            assertThrows(IllegalArgumentException.class, () -> writer.page(0, 5, 7, -1L, page(0), 0));
            assertThrows(IllegalArgumentException.class, () -> writer.page(0, 5, 6, -1L, page(0), 0));
            assertThrows(IllegalArgumentException.class, () -> writer.page(0, 4, 8, -1L, page(0), 0));
            writer.page(1, 0, 0, -1L, page(0), 0);
            final IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> writer.page(0, 6, 0, -1L, page(0), 0));
            assertTrue(e.getMessage().contains("(0, 6, 0) must be behind (1, 0, 0)"), e::getMessage);
            // What was refused left no trace.
            final SegmentHandle handle = writer.finish();
            assertEquals(2, handle.entries());
            try (PageChain chain = open(handle)) {
                checkPage(page(0), chain.image("t", 5), 7);
                checkPage(page(0), chain.image("u", 0), 0);
            }
            assertThrows(IllegalStateException.class, () -> writer.table("v", ""));
        }
        assertEquals(List.of("a.pages"), files.list(FILE.getParent()));
        final SnapshotException e = assertThrows(SnapshotException.class, this::create);
        assertTrue(e.getMessage().contains(NAME), e::getMessage);
        assertThrows(IllegalArgumentException.class, () -> PageSegmentWriter.create(files, FILE, NAME, -1));
    }

    @Test
    void shouldNameAMissingSegment() {
        final SegmentHandle handle = new SegmentHandle(NAME, 100, 0, 0);

        final CorruptionException e =
                assertThrows(CorruptionException.class, () -> PageSegmentReader.open(files, FILE, handle));

        assertEquals("/shared/a.pages at offset 0: expected a segment of 100 bytes, found no file", e.getMessage());
    }

    @Test
    void shouldTellAnotherSegmentFromTheRightOne() {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }
        final long length = handle.length();
        final int checksum = handle.checksum();
        for (final SegmentHandle other : List.of(
                new SegmentHandle(NAME, length, checksum, handle.entries() + 1),
                new SegmentHandle(NAME, length + 1, checksum, handle.entries()),
                new SegmentHandle(NAME, length - 1, checksum, handle.entries()),
                new SegmentHandle(NAME, length, checksum + 1, handle.entries()))) {
            final CorruptionException e =
                    assertThrows(CorruptionException.class, () -> PageSegmentReader.open(files, FILE, other));

            assertTrue(e.getMessage().startsWith(FILE + " at offset "), e::getMessage);
        }
        assertEquals(0, files.open());
    }

    @Test
    void shouldTellAnotherSegmentsBlockFromTheRightOne() {
        final MemoryFileStore memory = new MemoryFileStore();
        final Path right = Path.of("/right");
        final SegmentHandle handle = writeOnePage(memory, right, 1);
        writeOnePage(memory, Path.of("/other"), 2);
        final byte[] bytes = DurableFile.read(memory, right, 100_000);
        final byte[] others = DurableFile.read(memory, Path.of("/other"), 100_000);
        final int block = PageFormat.BLOCK_HEADER_LENGTH + PageFormat.MAX_RECORD_LENGTH;
        System.arraycopy(others, PageFormat.HEADER_LENGTH, bytes, PageFormat.HEADER_LENGTH, block);
        DurableFile.replace(memory, right, ByteBuffer.wrap(bytes));

        try (PageChain chain = new PageChain(List.of(PageSegmentReader.open(memory, right, handle)))) {
            final CorruptionException e = assertThrows(CorruptionException.class, () -> chain.image("t", 3));

            assertTrue(e.getMessage().startsWith("/right at offset 44: expected checksum"), e::getMessage);
        }
    }

    private static SegmentHandle writeOnePage(final MemoryFileStore memory, final Path path, final int number) {
        try (PageSegmentWriter writer = PageSegmentWriter.create(memory, path, path.toString())) {
            writer.table("t", "");
            writer.page(0, 3, 0, -1L, page(number), 0);
            return writer.finish();
        }
    }

    @Test
    void shouldKeepToABandwidthAndNotWaitBehindTheLastByte() {
        final long[] nowNs = {1_000};
        final int bytesPerSecond = 1_000_000;
        final SegmentHandle handle;
        final Pacing pacing = new Pacing(bytesPerSecond, () -> nowNs[0], ns -> nowNs[0] += ns / 2 + 1);
        try (PageSegmentWriter writer = PageSegmentWriter.create(files, FILE, NAME, pacing)) {
            writer.table("t", "");
            writeFullPages(writer, 0, 1000);
            handle = writer.finish();
        }

        final double seconds = (nowNs[0] - 1_000) / 1e9;

        final double all = (double) handle.length() / bytesPerSecond;
        assertTrue(seconds <= all, seconds + " s for " + handle.length() + " bytes");
        assertTrue(seconds >= 0.9 * all, seconds + " s for " + handle.length() + " bytes");
    }

    @Test
    void shouldNotHoldAnInterruptedThreadBack() {
        final Pacing pacing =
                new Pacing(1, () -> 0, ns -> Thread.currentThread().interrupt());

        pacing.awaitDue(0);
        pacing.awaitDue(1_000_000);

        assertTrue(Thread.interrupted(), "the interrupt was lost");
    }

    @Test
    void shouldReadPagesWithoutAllocating() {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = create()) {
            handle = writeGolden(writer);
        }
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (PageChain chain = open(handle)) {
            final GroupImage image = chain.image("timers", 1);
            final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
            long allocated = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 10 && allocated != 0; attempt++) {
                final long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 100_000; i++) {
                    image.read(3, page, 0);
                    image.readLine0(4, page, 0);
                }
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertEquals(0, allocated);
        }
    }
}
