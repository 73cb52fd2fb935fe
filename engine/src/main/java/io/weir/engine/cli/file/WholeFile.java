package io.weir.engine.cli.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Text files that are there as a whole or not at all: written beside, forced, renamed. */
public final class WholeFile {
    private WholeFile() {}

    /**
     * Writes a file.
     *
     * @param file to write or replace.
     * @param lines without line ends.
     * @throws IOException if that failed; an older file is then still there.
     */
    public static void write(final Path file, final Iterable<String> lines) throws IOException {
        final Path folder = file.toAbsolutePath().getParent();
        final Path temporary = folder.resolve(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(
                            temporary,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
                    BufferedWriter writer = new BufferedWriter(Channels.newWriter(channel, UTF_8))) {
                for (final String line : lines) {
                    writer.write(line);
                    writer.write('\n');
                }
                writer.flush();
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Why a file can't be used, in words.
     *
     * @param e what happened.
     * @return the reason.
     */
    public static String reason(final IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return "permission denied for " + denied.getFile();
        }
        if (e instanceof NoSuchFileException missing) {
            return "there is no " + missing.getFile();
        }
        if (e instanceof FileSystemException failed && failed.getReason() != null) {
            return failed.getReason();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
