package io.weir.engine.cli.demo;

import io.weir.engine.cli.file.FileTree;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a killed process leaves behind: its media driver's directory. Any later engine would sweep it; this does at once. */
final class SharedMemory {
    private static final Path FOLDER = Path.of("/dev/shm");

    private SharedMemory() {}

    static void deleteOf(final long pid) throws IOException {
        if (!Files.isDirectory(FOLDER)) {
            return;
        }
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(FOLDER, "weir-*-" + pid + "-*-*")) {
            for (final Path leftover : leftovers) {
                FileTree.delete(leftover);
            }
        }
    }
}
