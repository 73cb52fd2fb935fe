package io.weir.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskFileStoreTest extends FileStoreContract {
    private final DiskFileStore files = new DiskFileStore();

    @TempDir
    private Path directory;

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected Path directory() {
        return directory;
    }

    @Test
    void shouldKeepTheLockAgainstOtherProcessesAfterARefusalInThisOne() throws Exception {
        final Path file = directory.resolve("lock");
        try (FileClaim claim = files.tryClaim(file)) {
            assertNotNull(claim);
            files.tryClaim(file);

            assertEquals("refused", otherProcess(file, false));
        }
        assertEquals("claimed", otherProcess(file, false));
    }

    @Test
    void shouldFreeTheLockOfAKilledProcess() throws Exception {
        final Path file = directory.resolve("lock");

        assertEquals("claimed", otherProcess(file, true));

        try (FileClaim claim = files.tryClaim(file)) {
            assertNotNull(claim);
        }
    }

    private static String otherProcess(final Path file, final boolean kill) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Claimer.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        try {
            final String line = process.inputReader().readLine();
            if (!kill) {
                process.getOutputStream().close();
                assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the other process did not end");
            }
            return line;
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldTellDevicesFromFiles() {
        final Path device = Path.of("/dev/null");

        assertEquals(Files.exists(device) ? FileKind.OTHER : FileKind.ABSENT, files.kind(device));
        assertEquals(List.of(), files.list(directory));
    }

    @Test
    void shouldSayInWordsWhatTheSystemRefuses() {
        final Path file = Path.of("/checkpoints/segment");
        assertEquals(
                "can't create /checkpoints/segment: permission denied",
                DiskFileStore.failed("create", file, new AccessDeniedException("x"))
                        .getMessage());
        assertEquals(
                "can't open /checkpoints/segment: there is no such file",
                DiskFileStore.failed("open", file, new NoSuchFileException("x")).getMessage());
        assertEquals(
                "can't write /checkpoints/segment: No space left on device",
                DiskFileStore.failed("write", file, new IOException("No space left on device"))
                        .getMessage());
        assertEquals(
                "can't delete /checkpoints/segment: busy",
                DiskFileStore.failed("delete", file, new FileSystemException("x", null, "busy"))
                        .getMessage());
    }

    /** Claims a file, says so, and holds it until its input ends. */
    static final class Claimer {
        private Claimer() {}

        public static void main(final String[] args) throws IOException {
            try (FileClaim claim = new DiskFileStore().tryClaim(Path.of(args[0]))) {
                System.out.println(claim == null ? "refused" : "claimed");
                System.out.flush();
                while (System.in.read() >= 0) {
                    // The parent closes the pipe when it is done.
                }
            }
        }
    }
}
