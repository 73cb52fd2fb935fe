package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCheckpointStorageTest extends CheckpointStorageContract {
    @TempDir
    private Path parent;

    @Override
    protected CheckpointStorage storage() {
        return new FileCheckpointStorage(parent.resolve("checkpoints"));
    }

    private Path folder() {
        return parent.resolve("checkpoints").resolve("job");
    }

    private static List<String> names(final Path folder) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void assertRefused(final CheckpointStorage storage, final String job, final String... words) {
        final CheckpointStorageException e = assertThrows(CheckpointStorageException.class, () -> storage.open(job));
        for (final String word : words) {
            assertTrue(e.getMessage().contains(word), e::getMessage);
        }
    }

    @Test
    void shouldLayOutTheFolderAsDocumented() throws IOException {
        try (CheckpointStore store = storage().open("job")) {
            CheckpointSteps.take(store, "job", 7, "state");
        }

        assertEquals(List.of("chk-7", "counters", "job", "lock"), names(folder()));
        assertEquals(List.of("manifest", "task-0.segment", "task-1.segment"), names(folder().resolve("chk-7")));
    }

    @Test
    void shouldRefuseAFolderWithoutParent() {
        final Path missing = parent.resolve("missing").resolve("checkpoints");

        assertRefused(new FileCheckpointStorage(missing), "job", missing.toString(), "parent");
    }

    @Test
    void shouldRefuseAFileInTheWay() throws IOException {
        final Path file = Files.createFile(parent.resolve("file"));
        assertRefused(new FileCheckpointStorage(file), "job", file.toString(), "not a folder");

        final Path job = Files.createFile(parent.resolve("job"));
        assertRefused(new FileCheckpointStorage(parent), "job", job.toString(), "not a folder");

        assertRefused(new FileCheckpointStorage(file.resolve("below")), "job", file.toString());
    }

    @Test
    void shouldRefuseAFolderThatCanNotBeWritten() {
        // Not even root can make a folder there.
        assertRefused(new FileCheckpointStorage(Path.of("/proc/checkpoints")), "job", "/proc/checkpoints");
    }

    @Test
    void shouldRefuseTheFolderOfAnotherJob() throws IOException {
        storage().open("job").close();
        Files.move(folder(), folder().resolveSibling("other"));

        assertRefused(storage(), "other", "belongs to job 'job'", "other");
    }

    @Test
    void shouldRefuseAFolderThatIsNotAJobs() throws IOException {
        Files.createDirectories(folder());
        Files.createFile(folder().resolve("holiday.jpg"));

        assertRefused(storage(), "job", "holiday.jpg");
    }

    @Test
    void shouldRefuseDamagedCounters() throws IOException {
        storage().open("job").close();
        flip(folder().resolve("counters"), 20);

        assertRefused(storage(), "job", "counters", "offset", "checksum");

        Files.delete(folder().resolve("counters"));
        assertRefused(storage(), "job", "counters");
    }

    @Test
    void shouldFreeTheFolderAfterARefusal() throws IOException {
        storage().open("job").close();
        final byte[] good = Files.readAllBytes(folder().resolve("counters"));
        flip(folder().resolve("counters"), 20);
        assertRefused(storage(), "job");

        Files.write(folder().resolve("counters"), good);

        storage().open("job").close();
        assertEquals(List.of("counters", "job", "lock"), names(folder()));
    }

    /** FC-109: what can't be read is listed all the same, and an error when it is asked for. */
    @Test
    void shouldSweepOrphansAtOpenAndNothingElse() throws IOException {
        try (CheckpointStore store = storage().open("job")) {
            CheckpointSteps.take(store, "job", 1, "one");
            CheckpointSteps.write(store, 2, "task-0", "orphan");
            CheckpointSteps.take(store, "job", 3, "three");
        }
        Files.createDirectory(folder().resolve("chk-4"));
        Files.createFile(folder().resolve("counters.tmp"));
        Files.createFile(folder().resolve("chk-3").resolve("manifest.tmp"));
        Files.createDirectory(folder().resolve("savepoint-8"));
        Files.createDirectory(folder().resolve("savepoint-9"));
        Files.createFile(folder().resolve("savepoint-9").resolve("manifest"));
        Files.createFile(folder().resolve("notes.txt"));
        flip(folder().resolve("chk-3").resolve("manifest"), 30);

        try (CheckpointStore store = storage().open("job")) {
            assertEquals(List.of(1L, 3L), store.completed());
            final CorruptionException e = assertThrows(CorruptionException.class, () -> store.load(3));
            assertTrue(e.getMessage().contains("chk-3/manifest at offset"), e::getMessage);
            assertEquals("one", CheckpointSteps.text(store, store.load(1)));
        }
        assertEquals(List.of("chk-1", "chk-3", "counters", "job", "lock", "notes.txt", "savepoint-9"), names(folder()));
        assertEquals(List.of("manifest", "task-0.segment", "task-1.segment"), names(folder().resolve("chk-3")));
    }

    @Test
    void shouldNameADamagedOrMissingSegment() throws IOException {
        try (CheckpointStore store = storage().open("job")) {
            final Manifest manifest = CheckpointSteps.take(store, "job", 1, "one");
            flip(folder().resolve("chk-1").resolve("task-0.segment"), 60);
            Files.delete(folder().resolve("chk-1").resolve("task-1.segment"));

            for (final Manifest.TaskPart task : manifest.tasks()) {
                final CorruptionException e =
                        assertThrows(CorruptionException.class, () -> store.openSegment(task.segment()));
                assertTrue(e.getMessage().contains(task.segment().file()), e::getMessage);
            }
        }
    }

    @Test
    void shouldTellAManifestThatWasCopiedFromAnotherCheckpoint() throws IOException {
        try (CheckpointStore store = storage().open("job")) {
            CheckpointSteps.take(store, "job", 1, "one");
            CheckpointSteps.take(store, "job", 2, "two");
            Files.write(
                    folder().resolve("chk-2").resolve("manifest"),
                    Files.readAllBytes(folder().resolve("chk-1").resolve("manifest")));

            final CorruptionException e = assertThrows(CorruptionException.class, () -> store.load(2));
            assertTrue(e.getMessage().contains("expected checkpoint 2"), e::getMessage);
        }
    }

    @Test
    void shouldLeaveNothingOfADeletedCheckpoint() throws IOException {
        try (CheckpointStore store = storage().open("job");
                SegmentWriter unfinished = store.createSegment(1, "unfinished")) {
            unfinished.beginSection("a", "");
            CheckpointSteps.write(store, 1, "task-0", "state");

            store.delete(1);

            assertEquals(List.of("counters", "job", "lock"), names(folder()));
        }
    }

    private static void flip(final Path file, final int position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final java.nio.ByteBuffer one = java.nio.ByteBuffer.allocate(1);
            channel.read(one, position);
            one.put(0, (byte) ~one.get(0)).flip();
            channel.write(one, position);
        }
    }
}
