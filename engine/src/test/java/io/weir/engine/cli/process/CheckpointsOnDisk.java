package io.weir.engine.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the folder of a job tells of its checkpoints, also while the job works on it. */
final class CheckpointsOnDisk {
    private static final Pattern FOLDER = Pattern.compile("chk-(\\d+)");

    private CheckpointsOnDisk() {}

    /** Id of the newest completed checkpoint, the one a later run has to go on from; 0 if there is none. */
    static long newest(final Path output) {
        return newestOf(output.resolve("checkpoints").resolve("ohlc"));
    }

    /** The same of the folder that the engine keeps for a job. */
    static long newestOf(final Path checkpoints) {
        if (!Files.isDirectory(checkpoints)) {
            return 0;
        }
        try (Stream<Path> folders = Files.list(checkpoints)) {
            return folders.filter(folder -> !folder.getFileName().toString().startsWith("savepoint-"))
                    .filter(folder -> Files.exists(folder.resolve("manifest")))
                    .mapToLong(CheckpointsOnDisk::id)
                    .max()
                    .orElse(0);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long id(final Path folder) {
        final Matcher name = FOLDER.matcher(folder.getFileName().toString());
        if (!name.matches()) {
            throw new IllegalStateException(folder + " holds a manifest, but is no checkpoint's folder");
        }
        return Long.parseLong(name.group(1));
    }
}
