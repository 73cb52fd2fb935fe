package io.weir.engine.cli.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    private Path folder;

    @Test
    void shouldSweepWhatDeadProcessesLeftBesideAndNothingElse() throws Exception {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        final long dead = process.pid();
        final long alive = ProcessHandle.current().parent().orElseThrow().pid();
        final Set<String> others = new TreeSet<>(Set.of(
                "out.csv." + alive + ".tmp",
                "out.csv.tmp",
                "out.csv.old.tmp",
                "out.csv..tmp",
                "other.csv." + dead + ".tmp",
                "out.csv." + dead,
                "out.csvx" + dead + ".tmp"));
        for (final String name : others) {
            Files.writeString(folder.resolve(name), "keep");
        }
        Files.writeString(folder.resolve("out.csv." + dead + ".tmp"), "half");

        WholeFile.write(folder.resolve("out.csv"), List.of("a"));

        others.add("out.csv");
        assertEquals(others, names());
    }

    @Test
    void shouldLeaveTheOldFileAndNothingBesideWhenTheLinesFail() throws IOException {
        final Path file = Files.writeString(folder.resolve("out.csv"), "old");

        assertThrows(
                UncheckedIOException.class,
                () -> WholeFile.write(file, () -> {
                    throw new UncheckedIOException(new IOException("planned"));
                }));

        assertEquals("old", Files.readString(file));
        assertEquals(Set.of("out.csv"), names());
    }

    private Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
