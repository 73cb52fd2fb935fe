package io.weir.engine.cli.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Whole folders. */
public final class FileTree {
    private FileTree() {}

    /**
     * Deletes a file or a folder with all that is in it; nothing if it isn't there.
     *
     * @param path to delete.
     * @throws IOException if something can't be deleted.
     */
    public static void delete(final Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        final List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (final Path each : deepestFirst) {
            Files.deleteIfExists(each);
        }
    }
}
