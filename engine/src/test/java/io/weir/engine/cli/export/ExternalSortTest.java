package io.weir.engine.cli.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.cli.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExternalSortTest {
    @TempDir
    private Path folder;

    /** A number takes 8 bytes, and 12 in a file: what is not on the disk is in memory. */
    @ParameterizedTest
    @CsvSource({"0, 64, 2", "1, 64, 2", "7, 64, 2", "8, 64, 2", "1000, 1, 2", "1000, 8, 3", "100000, 4000, 4"})
    void shouldSortAsMemoryDoesWithFewRecordsInMemory(final int count, final int maxLength, final int maxFiles)
            throws IOException {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final Codec<Long> codec = Codecs.longs();
        final List<Long> expected = new ArrayList<>();
        final List<Long> actual = new ArrayList<>();
        int mostFiles = 0;
        try (ExternalSort<Long> sort =
                new ExternalSort<>(folder, codec, Comparator.reverseOrder(), maxLength, maxFiles)) {
            final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
            for (int i = 0; i < count; i++) {
                expected.add((long) random.nextInt(count));
                sort.add(buffer, 0, codec.encode(expected.get(i), buffer, 0));
                if (i % 100 == 0) {
                    mostFiles = Math.max(mostFiles, files().size());
                    final long onDisk = files().stream()
                            .mapToLong(file -> file.toFile().length())
                            .sum();
                    final long inMemory = i + 1 - onDisk / 12;
                    assertTrue(inMemory <= Math.max(1, maxLength / 8), inMemory + " in memory of " + i);
                }
            }
            assertEquals(count, sort.count());
            sort.sorted().forEachRemaining(actual::add);
        }

        expected.sort(Comparator.reverseOrder());
        assertEquals(expected, actual);
        assertEquals(List.of(), files());
        final int levels = 1 + (int) Math.ceil(Math.log(Math.max(1, count)) / Math.log(maxFiles));
        assertTrue(mostFiles <= maxFiles * levels, mostFiles + " files");
    }

    @Test
    void shouldNameTheFolderThatIsGone() throws IOException {
        final Path gone = Files.createDirectory(folder.resolve("gone"));
        try (ExternalSort<Long> sort = new ExternalSort<>(gone, Codecs.longs(), Comparator.naturalOrder(), 1, 2)) {
            FileTree.delete(gone);
            final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

            final UncheckedIOException e =
                    assertThrows(UncheckedIOException.class, () -> sort.add(buffer, 0, Long.BYTES));

            assertTrue(e.getMessage().contains(gone.toString()), e.getMessage());
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }
}
