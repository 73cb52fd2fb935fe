package io.weir.engine.cli.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/**
 * Text files that are there as a whole or not at all: written beside, forced, renamed. What a killed process left beside goes when
 * the file is written again.
 */
public final class WholeFile {
    private static final String TEMPORARY = ".tmp";
    private static final Pattern PROCESS_ID = Pattern.compile("[0-9]{1,18}");

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
        sweepAbandoned(folder, file.getFileName() + ".");
        final Path temporary = folder.resolve(
                file.getFileName() + "." + ProcessHandle.current().pid() + TEMPORARY);
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

    private static void sweepAbandoned(final Path folder, final String prefix) throws IOException {
        final DirectoryStream.Filter<Path> isAbandoned = path -> {
            final String name = path.getFileName().toString();
            return name.startsWith(prefix)
                    && name.endsWith(TEMPORARY)
                    && name.length() > prefix.length() + TEMPORARY.length()
                    && isOfDeadProcess(name.substring(prefix.length(), name.length() - TEMPORARY.length()));
        };
        try (DirectoryStream<Path> abandoned = Files.newDirectoryStream(folder, isAbandoned)) {
            for (final Path path : abandoned) {
                Files.deleteIfExists(path);
            }
        } catch (final DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean isOfDeadProcess(final String processId) {
        return PROCESS_ID.matcher(processId).matches()
                && ProcessHandle.of(Long.parseLong(processId)).isEmpty();
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
