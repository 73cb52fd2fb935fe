package io.weir.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes folders. */
public final class Folders {
    private Folders() {}

    /**
     * Deletes a folder and all that is in it, at rest.
     *
     * @param folder that is there.
     * @throws IOException if something can't be deleted.
     */
    public static void delete(final Path folder) throws IOException {
        final List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (final Path file : files) {
            Files.delete(file);
        }
    }
}
