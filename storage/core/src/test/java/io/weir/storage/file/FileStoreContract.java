package io.weir.storage.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link FileStore} does. */
public abstract class FileStoreContract {
    /**
     * The disk under test.
     *
     * @return the same one during a test.
     */
    protected abstract FileStore files();

    /**
     * An empty directory on it.
     *
     * @return its path.
     */
    protected abstract Path directory();

    private static ByteBuffer bytes(final String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String text(final Path file) {
        return new String(DurableFile.read(files(), file, 1000), StandardCharsets.US_ASCII);
    }

    private Path write(final String name, final String text) {
        final Path file = directory().resolve(name);
        try (OpenFile open = files().create(file)) {
            open.write(0, bytes(text));
        }
        return file;
    }

    @Test
    void shouldReadWhatWasWrittenAtAnyPlace() {
        final Path file = directory().resolve("a");
        try (OpenFile open = files().create(file)) {
            open.write(0, bytes("hello"));
            open.write(3, bytes("p me"));
            final ByteBuffer target = ByteBuffer.allocate(10);

            final int length = open.read(1, target);

            assertEquals(6, length);
            assertEquals("elp me", new String(target.array(), 0, length, StandardCharsets.US_ASCII));
            assertEquals(7, open.size());
            assertEquals(0, open.read(7, ByteBuffer.allocate(1)));
            assertEquals(file, open.path());
        }
    }

    @Test
    void shouldFillAGapWithZeros() {
        try (OpenFile open = files().create(directory().resolve("a"))) {
            open.write(3, bytes("x"));

            final ByteBuffer target = ByteBuffer.allocate(4);
            open.read(0, target);

            assertArrayEquals(new byte[] {0, 0, 0, 'x'}, target.array());
        }
    }

    @Test
    void shouldAllocateZerosButNeverShrink() {
        try (OpenFile open = files().create(directory().resolve("a"))) {
            open.write(0, bytes("abc"));
            open.allocate(200_000);
            assertEquals(200_000, open.size());
            open.allocate(10);
            assertEquals(200_000, open.size());

            open.truncate(4);

            assertEquals(4, open.size());
        }
        assertEquals("abc\0", text(directory().resolve("a")));
    }

    @Test
    void shouldShowTheSameBytesInMappingsAndReads() {
        try (OpenFile open = files().create(directory().resolve("a"))) {
            open.allocate(8);
            try (FileMapping mapping = open.map(2, 4)) {
                mapping.buffer().putByte(0, (byte) 'm');
                open.write(3, bytes("w"));
                open.write(8, bytes("growth that moves the bytes of a file that is kept in memory"));
                mapping.buffer().putByte(2, (byte) 'n');
                mapping.force();

                final ByteBuffer target = ByteBuffer.allocate(8);
                open.read(0, target);

                assertArrayEquals(new byte[] {0, 0, 'm', 'w', 'n', 0, 0, 0}, target.array());
                assertEquals(4, mapping.buffer().capacity());
                assertEquals('w', mapping.buffer().getByte(1));
            }
        }
    }

    @Test
    void shouldReadThroughAMappingThatOutlivesItsFile() {
        final Path file = write("a", "mapped");
        final FileMapping mapping;
        try (OpenFile open = files().openReadOnly(file)) {
            mapping = open.map(0, 6);
        }
        try (mapping) {
            assertEquals("mapped", mapping.buffer().getStringWithoutLengthAscii(0, 6));
        }
        mapping.close();
        assertEquals(0, mapping.buffer().capacity());
    }

    @Test
    void shouldMapNothing() {
        try (OpenFile open = files().create(directory().resolve("a"));
                FileMapping mapping = open.map(0, 0)) {
            assertEquals(0, mapping.buffer().capacity());
        }
    }

    @Test
    void shouldRefuseToMapBeyondTheEnd() {
        try (OpenFile open = files().create(directory().resolve("a"))) {
            open.allocate(8);

            assertThrows(FileException.class, () -> open.map(0, 9));
        }
    }

    @Test
    void shouldRefuseToCreateWhatIsThere() {
        final Path file = write("a", "first");

        final FileException e = assertThrows(FileException.class, () -> files().create(file));

        assertTrue(e.getMessage().contains(file.toString()), e::getMessage);
        assertEquals("first", text(file));
    }

    @Test
    void shouldNameTheFileThatIsMissing() {
        final Path file = directory().resolve("missing");

        for (final FileException e : List.of(
                assertThrows(FileException.class, () -> files().open(file)),
                assertThrows(FileException.class, () -> files().openReadOnly(file)),
                assertThrows(
                        FileException.class,
                        () -> files().rename(file, directory().resolve("b"))),
                assertThrows(FileException.class, () -> files().list(file)),
                assertThrows(FileException.class, () -> files().forceDirectory(file)),
                assertThrows(FileException.class, () -> files().create(file.resolve("deeper"))),
                assertThrows(FileException.class, () -> files().createDirectory(file.resolve("deeper"))))) {
            assertTrue(e.getMessage().contains(file.toString()), e::getMessage);
        }
    }

    @Test
    void shouldTellWhatIsUnderAName() {
        final Path file = write("a", "");
        files().createDirectory(directory().resolve("d"));

        assertEquals(FileKind.FILE, files().kind(file));
        assertEquals(FileKind.DIRECTORY, files().kind(directory().resolve("d")));
        assertEquals(FileKind.ABSENT, files().kind(directory().resolve("x")));
        assertEquals(FileKind.ABSENT, files().kind(file.resolve("x")));
    }

    @Test
    void shouldListNamesInOrder() {
        write("b", "");
        files().createDirectory(directory().resolve("c"));
        write("c/deeper", "");
        write("a", "");

        assertEquals(List.of("a", "b", "c"), files().list(directory()));
    }

    @Test
    void shouldReplaceAFileByRename() {
        final Path from = write("a", "new");
        final Path to = write("b", "old");

        files().rename(from, to);

        assertEquals(List.of("b"), files().list(directory()));
        assertEquals("new", text(to));
    }

    @Test
    void shouldDeleteFilesAndEmptyDirectoriesOnly() {
        files().createDirectory(directory().resolve("d"));
        final Path file = write("d/a", "");

        assertThrows(FileException.class, () -> files().delete(directory().resolve("d")));
        assertTrue(files().delete(file));
        assertFalse(files().delete(file));
        assertTrue(files().delete(directory().resolve("d")));
        files().forceDirectory(directory());

        assertEquals(List.of(), files().list(directory()));
    }

    @Test
    void shouldGiveALockToOneOnly() {
        final Path file = directory().resolve("lock");

        final FileClaim first = files().tryClaim(file);
        assertNotNull(first);
        assertNull(files().tryClaim(file));
        assertNull(files().tryClaim(directory().resolve(".").resolve("lock")));

        first.close();

        try (FileClaim second = files().tryClaim(file)) {
            assertNotNull(second);
            first.close();
            assertNull(files().tryClaim(file));
        }
    }

    @Test
    void shouldReplaceASmallFileAsAWhole() {
        final Path file = directory().resolve("counter");
        write("counter.tmp", "left over by a crash");

        DurableFile.replace(files(), file, bytes("one"));
        DurableFile.replace(files(), file, bytes("two"));

        assertEquals("two", text(file));
        assertEquals(List.of("counter"), files().list(directory()));
        assertThrows(FileException.class, () -> DurableFile.read(files(), file, 2));
    }

    @Test
    void shouldRefuseToUseAClosedFile() {
        final OpenFile open = files().create(directory().resolve("a"));
        open.close();
        open.close();

        assertThrows(FileException.class, () -> open.write(0, bytes("x")));
        assertThrows(FileException.class, () -> open.read(0, ByteBuffer.allocate(1)));
    }
}
