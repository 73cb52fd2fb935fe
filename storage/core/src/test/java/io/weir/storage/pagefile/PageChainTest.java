package io.weir.storage.pagefile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PageChainTest {
    private static final int SEEDS = 60;
    private static final int ONE_MAPPING = 1 << 30;
    private static final UnsafeBuffer PAGE = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);

    static {
        PAGE.setMemory(0, PageFormat.PAGE_LENGTH, (byte) 7);
    }

    private final CountingFileStore memory = new CountingFileStore(new MemoryFileStore());

    private static PageSegmentReader write(
            final FileStore files,
            final Path path,
            final int maxMapping,
            final java.util.function.Consumer<PageSegmentWriter> pages) {
        final SegmentHandle handle;
        try (PageSegmentWriter writer = PageSegmentWriter.create(files, path, path.toString())) {
            pages.accept(writer);
            handle = writer.finish();
        }
        return PageSegmentReader.open(files, path, handle, maxMapping);
    }

    private PageSegmentReader write(final String file, final java.util.function.Consumer<PageSegmentWriter> pages) {
        return write(memory, Path.of("/" + file), ONE_MAPPING, pages);
    }

    private static void named(final long seed, final Runnable test) {
        try {
            test.run();
        } catch (final RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static PageChain writeChain(
            final PageModel model, final FileStore files, final Path directory, final Random random) {
        final List<PageSegmentReader> segments = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            final int changes = random.nextInt(4) == 0 ? random.nextInt(5) : random.nextInt(1000);
            final int maxMapping = random.nextBoolean() ? 1 + random.nextInt(200_000) : ONE_MAPPING;
            final Path path = directory.resolve("segment-" + segments.size());
            segments.add(write(files, path, maxMapping, writer -> model.writeSegment(writer, changes)));
        }
        return new PageChain(segments);
    }

    private static void checkSeed(final long seed, final FileStore files, final Path directory) {
        final Random random = new Random(seed);
        final PageModel model = new PageModel(random);
        final int first = random.nextBoolean() ? 0 : random.nextInt(6);
        final int end = random.nextBoolean() ? 128 : first + random.nextInt(6);
        final Path path = directory.resolve("compacted");

        try (PageChain chain = writeChain(model, files, directory, random)) {
            model.check(chain, 0, Integer.MAX_VALUE);
            model.checkLastKeyGroup(chain);
            try (PageChain merged =
                    new PageChain(List.of(write(files, path, 100_000, writer -> chain.compact(writer, first, end))))) {
                model.check(merged, first, end);
                assertEquals(chain.tables(), merged.tables());
                chain.tables().forEach(table -> assertEquals(PageModel.attributes(table), merged.attributes(table)));
            }
        }
    }

    @Test
    void shouldTellWhatAPlainModelTellsBeforeAndAfterCompaction() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            final CountingFileStore files = new CountingFileStore(new MemoryFileStore());
            final long number = seed;

            named(number, () -> checkSeed(number, files, Path.of("/")));

            assertEquals(0, files.open(), "open after seed " + seed);
        }
    }

    @Test
    void shouldTellWhatAPlainModelTellsOnARealDisk(@TempDir final Path directory) {
        final CountingFileStore files = new CountingFileStore(new DiskFileStore());
        for (long seed = 1000; seed < 1010; seed++) {
            final long number = seed;
            final Path place = directory.resolve("" + seed);
            files.createDirectory(place);

            named(number, () -> checkSeed(number, files, place));

            assertEquals(0, files.open(), "open after seed " + seed);
        }
    }

    @Test
    void shouldTellTheSameToManyThreads() throws Exception {
        final Random random = new Random(5);
        final PageModel model = new PageModel(random);
        final ExecutorService threads = Executors.newFixedThreadPool(4);
        try (PageChain chain = writeChain(model, new MemoryFileStore(), Path.of("/"), random)) {
            final List<Future<Object>> results = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                results.add(threads.submit((Callable<Object>) () -> {
                    model.check(chain, 0, Integer.MAX_VALUE);
                    return "same";
                }));
            }
            for (final Future<Object> result : results) {
                assertEquals("same", result.get(1, TimeUnit.MINUTES));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldReadIndicesOnlyWhenOpened() {
        final int pages = 5000;
        final PageSegmentReader segment = write("a", writer -> {
            final int table = writer.table("t", "");
            for (int page = 0; page < pages; page++) {
                writer.page(table, 3, page, -1L, PAGE, 0);
            }
        });
        final long length = segment.bytes();

        assertTrue(length > (long) pages * PageFormat.PAGE_LENGTH, length + " bytes");
        assertTrue(memory.readBytes() < length / 1000, memory.readBytes() + " bytes of " + length);
        assertEquals(1, memory.open(), "the mapping");
        segment.close();
        assertEquals(0, memory.open());
    }

    @Test
    void shouldCutMappingsBetweenBlocks() {
        final int pages = 200;
        final PageSegmentReader segment = write(memory, Path.of("/a"), 100_000, writer -> {
            final int table = writer.table("t", "");
            for (int page = 0; page < pages; page++) {
                writer.page(table, 3, page, -1L, PAGE, 0);
            }
        });

        try (PageChain chain = new PageChain(List.of(segment))) {
            final GroupImage image = chain.image("t", 3);
            assertEquals(pages, image.endPageNumber());
            final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
            for (int i = 0; i < pages; i++) {
                page.setMemory(0, PageFormat.PAGE_LENGTH, (byte) 1);
                image.read(i, page, 0);
                assertEquals(PAGE, page);
            }
        }
        assertEquals((pages / 8 + 2) / 3, memory.mapped(), "three blocks of eight pages each");
        assertEquals(0, memory.open());
    }

    @Test
    void shouldForgetOldLinesOfAPageThatIsThereAgain() {
        final PageSegmentReader old = write("old", writer -> writer.page(writer.table("t", ""), 0, 4, -1L, PAGE, 0));
        final PageSegmentReader gone = write("gone", writer -> writer.page(writer.table("t", ""), 0, 4, 0, PAGE, 0));
        final PageSegmentReader again = write("again", writer -> writer.page(writer.table("t", ""), 0, 4, 2, PAGE, 0));

        try (PageChain chain = new PageChain(List.of(old, gone, again))) {
            final GroupImage image = chain.image("t", 0);
            final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
            page.setMemory(0, PageFormat.PAGE_LENGTH, (byte) 9);
            image.read(4, page, 0);
            for (int i = 0; i < PageFormat.PAGE_LENGTH; i++) {
                assertEquals(i >= 64 && i < 128 ? 7 : 0, page.getByte(i), "byte " + i);
            }
        }
    }

    @Test
    void shouldHaveNothingWithoutSegments() {
        try (PageChain chain = new PageChain(List.of())) {
            assertEquals(List.of(), chain.tables());
            assertNull(chain.attributes("t"));
            assertTrue(chain.isEmpty("t", 0));
            assertEquals(0, chain.image("t", 0).pages());
            assertEquals(0, chain.bytes());
        }
    }

    @Test
    void shouldSayWhenEachTableWasNamedFirst() {
        final PageSegmentReader first = write("first", writer -> writer.table("b", "1"));
        final PageSegmentReader second = write("second", writer -> {
            writer.table("a", "2");
            writer.table("b", "1");
        });

        try (PageChain chain = new PageChain(List.of(first, second))) {
            assertEquals(List.of("b", "a"), chain.tables());
            assertEquals("1", chain.attributes("b"));
            assertEquals("2", chain.attributes("a"));
            assertEquals(first.bytes() + second.bytes(), chain.bytes());
        }
    }

    @Test
    void shouldRefuseTablesWithOtherAttributes() {
        final PageSegmentReader first = write("first", writer -> writer.table("t", "long"));
        final PageSegmentReader second = write("second", writer -> {
            writer.table("s", "");
            writer.table("t", "text");
        });

        final CorruptionException e =
                assertThrows(CorruptionException.class, () -> new PageChain(List.of(first, second)));

        assertEquals(
                "/second at offset 29: expected attributes long of table t as in older segments, found text",
                e.getMessage());
        assertEquals(0, memory.open());
    }

    @Test
    void shouldRefuseTheSameFileTwice() {
        final PageSegmentReader segment =
                write("twice", writer -> writer.page(writer.table("t", ""), 0, 0, 1, PAGE, 0));

        final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> new PageChain(List.of(segment, segment)));

        assertTrue(e.getMessage().contains("/twice"), e::getMessage);
        assertEquals(0, memory.open());
    }

    @Test
    void shouldUnmapWhenClosedAndReadNothingAfterwards() {
        final PageSegmentReader segment = write("a", writer -> writer.page(writer.table("t", ""), 0, 0, 1, PAGE, 0));
        final PageChain chain = new PageChain(List.of(segment));
        final GroupImage image = chain.image("t", 0);
        assertEquals(1, memory.open());

        chain.close();
        chain.close();

        assertEquals(0, memory.open());
        final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        assertThrows(IllegalStateException.class, () -> image.read(0, page, 0));
        assertThrows(IllegalStateException.class, () -> image.readLine0(0, page, 0));
        assertThrows(IllegalStateException.class, () -> chain.image("t", 0));
    }

    @Test
    void shouldRefuseToReadAPageThatIsNotThere() {
        final PageSegmentReader segment = write("a", writer -> writer.page(writer.table("t", ""), 0, 5, 1, PAGE, 0));
        try (PageChain chain = new PageChain(List.of(segment))) {
            final GroupImage image = chain.image("t", 0);
            final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);

            assertThrows(IllegalArgumentException.class, () -> image.read(4, page, 0));
            assertThrows(IllegalArgumentException.class, () -> image.readLine0(6, page, 0));
            assertThrows(IllegalArgumentException.class, () -> image.read(-1, page, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> image.read(5, page, 1));
        }
    }

    @Test
    void shouldUnmapWhatWasMappedBeforeTheDiskFailed() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        final CountingFileStore files = new CountingFileStore(disk);
        final Path path = Path.of("/a");
        final SegmentHandle handle;
        try (PageSegmentWriter writer = PageSegmentWriter.create(files, path, "a")) {
            final int table = writer.table("t", "");
            for (int page = 0; page < 100; page++) {
                writer.page(table, 3, page, -1L, PAGE, 0);
            }
            handle = writer.finish();
        }
        int failures = 0;
        for (int operation = 1; failures == operation - 1; operation++) {
            disk.failAt(operation);
            try (PageSegmentReader reader = PageSegmentReader.open(files, path, handle, 50_000)) {
                assertEquals(12, reader.mappings(), "the last one has a block and a half");
            } catch (final SnapshotException e) {
                assertTrue(e.getMessage().contains("/a"), e::getMessage);
                failures++;
            }
            assertEquals(0, files.open(), "open after operation " + operation + " failed");
        }
        assertTrue(failures >= 12 + 5, "only " + failures + " operations failed");
    }
}
