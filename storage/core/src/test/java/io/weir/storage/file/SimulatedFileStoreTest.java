package io.weir.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SimulatedFileStoreTest extends FileStoreContract {
    private static final Path FILE = Path.of("/file");
    private final SimulatedFileStore files = new SimulatedFileStore(42);

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected Path directory() {
        return Path.of("/");
    }

    private static ByteBuffer bytes(final String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(final SimulatedFileStore files, final Path file) {
        return new String(DurableFile.read(files, file, 1 << 20), StandardCharsets.US_ASCII);
    }

    @Test
    void shouldKeepForcedBytesUnderForcedNamesOverACrash() {
        for (int seed = 0; seed < 100; seed++) {
            final SimulatedFileStore disk = new SimulatedFileStore(seed);
            try (OpenFile open = disk.create(FILE)) {
                open.write(0, bytes("forced"));
                open.force();
            }
            disk.forceDirectory(Path.of("/"));

            disk.crash();

            assertEquals("forced", text(disk, FILE), "seed " + seed);
        }
    }

    @Test
    void shouldLoseUnforcedNamesSometimes() {
        final Set<List<String>> outcomes = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            final SimulatedFileStore disk = new SimulatedFileStore(seed);
            disk.create(FILE).close();
            disk.crash();
            outcomes.add(disk.list(Path.of("/")));
        }
        assertEquals(Set.of(List.of(), List.of("file")), outcomes);
    }

    @Test
    void shouldLoseAllThatWasNotForced() {
        final Path other = Path.of("/other");
        try (OpenFile open = files.create(FILE)) {
            open.write(0, bytes("forced"));
            open.force();
            open.write(0, bytes("later "));
        }
        files.forceDirectory(Path.of("/"));
        files.create(other).close();

        files.crashLosingAll();

        assertEquals("forced", text(files, FILE));
        assertEquals(List.of("file"), files.list(Path.of("/")));
        assertEquals(2, files.losses());
    }

    @Test
    void shouldActBeforeAChangeAndCountNoLooks() {
        files.beforeChange(3, files::die);
        final OpenFile open = files.create(FILE);
        assertEquals(FileKind.FILE, files.kind(FILE));
        open.write(0, bytes("one"));
        assertEquals(3, open.size());

        assertThrows(SimulatedCrash.class, () -> open.write(0, bytes("two")));
        assertEquals(3, files.changes());
        files.kill();

        assertEquals("one", text(files, FILE));
        files.delete(FILE);
        assertEquals(4, files.changes(), "it acts once");
    }

    @Test
    void shouldNeverLoseBothNamesOfARename() {
        final Set<List<String>> outcomes = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            final SimulatedFileStore disk = new SimulatedFileStore(seed);
            disk.create(FILE).close();
            disk.forceDirectory(Path.of("/"));
            disk.rename(FILE, Path.of("/renamed"));
            disk.crash();
            outcomes.add(disk.list(Path.of("/")));
        }
        assertEquals(Set.of(List.of("renamed"), List.of("file")), outcomes);
    }

    @Test
    void shouldTearUnforcedBytesBySector() {
        boolean torn = false;
        boolean lost = false;
        boolean whole = false;
        for (int seed = 0; seed < 200; seed++) {
            final SimulatedFileStore disk = new SimulatedFileStore(seed);
            final OpenFile open = disk.create(FILE);
            open.write(0, bytes("a".repeat(1024)));
            open.force();
            disk.forceDirectory(Path.of("/"));
            open.write(0, bytes("b".repeat(1024)));

            disk.crash();

            final String text = text(disk, FILE);
            assertTrue(text.matches("(a{512}|b{512}){2}"), text);
            torn |= text.contains("a") && text.contains("b");
            lost |= !text.contains("b");
            whole |= !text.contains("a");
        }
        assertTrue(torn && lost && whole, "torn=" + torn + " lost=" + lost + " whole=" + whole);
    }

    @Test
    void shouldKeepEverythingWhenOnlyTheProcessDies() {
        final OpenFile open = files.create(FILE);
        open.write(0, bytes("unforced"));
        assertNotNull(files.tryClaim(Path.of("/lock")));

        files.kill();

        assertEquals("unforced", text(files, FILE));
        assertNotNull(files.tryClaim(Path.of("/lock")));
        assertThrows(SimulatedCrash.class, () -> open.write(0, bytes("late")));
    }

    @Test
    void shouldDieBeforeOrAfterAChosenOperation() {
        files.crashBefore(2);
        final OpenFile open = files.create(FILE);
        assertThrows(SimulatedCrash.class, () -> open.write(0, bytes("x")));
        assertThrows(SimulatedCrash.class, () -> files.kind(FILE));
        open.close();
        files.kill();
        assertEquals("", text(files, FILE));

        files.crashAfter(2);
        final OpenFile again = files.open(FILE);
        assertThrows(SimulatedCrash.class, () -> again.write(0, bytes("x")));
        files.kill();
        assertEquals("x", text(files, FILE));
    }

    @Test
    void shouldFailAChosenOperationOnce() {
        final OpenFile open = files.create(FILE);
        files.failAt(1);

        assertThrows(FileException.class, () -> open.write(0, bytes("x")));

        open.write(0, bytes("y"));
        assertEquals("y", text(files, FILE));
    }

    @Test
    void shouldLoseWhatAFailedForceShouldHaveForced() {
        for (int seed = 0; seed < 20; seed++) {
            final SimulatedFileStore disk = new SimulatedFileStore(seed);
            final OpenFile open = disk.create(FILE);
            open.write(0, bytes("old"));
            open.force();
            disk.forceDirectory(Path.of("/"));
            open.write(0, bytes("new"));
            disk.failAt(1);
            assertThrows(FileException.class, open::force);

            open.force();
            disk.crash();

            final String text = text(disk, FILE);
            assertTrue(text.equals("old") || text.equals("new"), text);
            if (text.equals("old")) {
                return;
            }
        }
        throw new AssertionError("a second force made good what the failed one had lost");
    }

    @Test
    void shouldRunFullAndGiveSpaceBack() {
        files.capacity(10);
        final OpenFile open = files.create(FILE);
        open.write(0, bytes("12345678"));

        assertThrows(FileException.class, () -> open.write(8, bytes("abc")));
        assertThrows(FileException.class, () -> open.allocate(11));
        open.write(0, bytes("overwriting needs no space".substring(0, 8)));
        assertEquals(10, files.usedBytes());

        assertTrue(files.delete(FILE));
        assertEquals(0, files.usedBytes());
        assertFalse(files.delete(FILE));
    }

    @Test
    void shouldDamageAByte() {
        try (OpenFile open = files.create(FILE)) {
            open.write(0, bytes("abc"));
        }

        files.damage(FILE, 1, 1);

        assertEquals("acc", text(files, FILE));
    }

    @Test
    void shouldLoseTheSameForTheSameSeed() {
        final Set<String> outcomes = new HashSet<>();
        for (int run = 0; run < 5; run++) {
            final SimulatedFileStore disk = new SimulatedFileStore(7);
            final OpenFile open = disk.create(FILE);
            disk.forceDirectory(Path.of("/"));
            open.write(0, bytes("x".repeat(5000)));
            disk.crash();
            outcomes.add(text(disk, FILE));
        }
        assertEquals(1, outcomes.size());
    }
}
