package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SnapshotException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link CheckpointStorage} does with savepoints into a directory. */
abstract class SavepointContract {
    static final String JOB = "a job";
    private static final List<String> FILES =
            List.of("manifest", "task-0-x.pages", "task-0.segment", "task-1-x.pages", "task-1.segment");

    @TempDir
    Path parent;

    /** The same place during a test. */
    abstract CheckpointStorage storage();

    static List<String> names(final Path folder) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void assertRefused(
            final CheckpointStore store, final long id, final Path directory, final String... words) {
        final CheckpointStorageException e =
                assertThrows(CheckpointStorageException.class, () -> store.beginSavepoint(id, directory));
        for (final String word : words) {
            assertTrue(e.getMessage().contains(word), e::getMessage);
        }
    }

    @Test
    void shouldHoldAllOfASavepointInItsFolder() throws IOException {
        try (CheckpointStore store = storage().open(JOB)) {
            final Path folder = store.beginSavepoint(7, parent.resolve("savepoints"));

            final Manifest manifest = CheckpointSteps.takeSavepoint(store, JOB, 7, "state");

            assertEquals(parent.resolve("savepoints").resolve("savepoint-a%20job-7"), folder);
            assertEquals(FILES, names(folder));
            final CheckpointFolder looked = CheckpointFolder.at(new DiskFileStore(), folder);
            assertEquals(manifest, looked.load(7));
            assertEquals("task-0.segment", manifest.tasks().get(0).segment().file());
            assertEquals(
                    "task-0-x.pages", manifest.tasks().get(0).shared().get(0).file());
        }
    }

    @Test
    void shouldBeReadWhereverItsFolderIsMovedAndWhateverItsName() throws IOException {
        final Path moved = parent.resolve("chk-9");
        final Manifest manifest;
        try (CheckpointStore store = storage().open(JOB)) {
            final Path folder = store.beginSavepoint(7, parent);
            manifest = CheckpointSteps.takeSavepoint(store, JOB, 7, "state");
            Files.move(folder, moved);
        }

        final CheckpointFolder looked = CheckpointFolder.at(new DiskFileStore(), moved);

        assertTrue(looked.isSavepoint());
        assertEquals(moved, looked.path());
        assertEquals(7, looked.only());
        assertEquals(List.of(7L), looked.checkpoints());
        assertTrue(looked.isThere(7));
        assertTrue(looked.isCompleted(7));
        assertFalse(looked.isCompleted(9));
        assertEquals(manifest, looked.load(7));
        assertEquals(2, looked.segments(7).size());
        final SegmentHandle handle = looked.load(7).tasks().get(1).segment();
        try (SegmentReader reader = SegmentFiles.open(looked.files(), looked.path(looked.load(7), handle), handle)) {
            assertEquals(1, reader.sections().size());
        }
    }

    @Test
    void shouldForgetASavepointOnceItIsPublished() throws IOException {
        try (CheckpointStore store = storage().open(JOB)) {
            CheckpointSteps.take(store, JOB, 1, "one");
            final Path folder = store.beginSavepoint(2, parent);
            CheckpointSteps.takeSavepoint(store, JOB, 2, "two");

            assertEquals(List.of(1L), store.completed());
            store.delete(2);

            assertEquals(FILES, names(folder));
            assertEquals(List.of(1L), store.completed());
            assertThrows(
                    RuntimeException.class, () -> store.createSegment(2, "late").close());
            assertThrows(IllegalStateException.class, () -> store.beginSavepoint(2, parent));
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(1L), store.completed());
        }
        assertEquals(FILES, names(parent.resolve("savepoint-a%20job-2")));
    }

    @Test
    void shouldRefuseWhatComesAfterItWasPublished() {
        try (CheckpointStore store = storage().open(JOB)) {
            store.beginSavepoint(2, parent);
            final Manifest manifest = CheckpointSteps.takeSavepoint(store, JOB, 2, "two");

            assertThrows(
                    IllegalStateException.class,
                    () -> store.createSegment(2, "late").close());
            assertThrows(IllegalStateException.class, () -> store.shared("late").create(2, "x"));
            assertThrows(IllegalStateException.class, () -> store.shared("late").createOwn(2, "x"));
            assertThrows(IllegalStateException.class, () -> store.publish(manifest));
        }
    }

    @Test
    void shouldRemoveAllThatWasWrittenOfASavepointThatIsGivenUp() throws IOException {
        try (CheckpointStore store = storage().open(JOB)) {
            final Path folder = store.beginSavepoint(7, parent);
            CheckpointSteps.write(store, 7, "task-0", "state");
            CheckpointSteps.writeOwn(store, 7, "task-0");
            try (SegmentWriter unfinished = store.createSegment(7, "task-1")) {
                unfinished.beginSection("value/x", "");

                store.delete(7);

                assertFalse(Files.exists(folder));
                assertThrows(
                        SnapshotException.class,
                        () -> store.createSegment(7, "late").close());
                assertThrows(SnapshotException.class, () -> store.shared("late").createOwn(7, "x"));
            }
            store.delete(7);
            assertEquals(List.of(), store.completed());
        }
        assertEquals(
                List.of(),
                names(parent).stream()
                        .filter(name -> name.startsWith("savepoint"))
                        .toList());
    }

    @Test
    void shouldKeepWhatLaterCheckpointsRestOnWhenASavepointIsGivenUp() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle base = CheckpointSteps.writeShared(store, 1, "task");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
            store.beginSavepoint(2, parent);
            // The flush for the savepoint is part of the task's chain from now on.
            final SegmentHandle flushed = CheckpointSteps.writeShared(store, 2, "task");
            CheckpointSteps.writeOwn(store, 2, "task");

            store.delete(2);

            assertTrue(CheckpointSteps.isThere(store, flushed));
            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(base, flushed)));
            store.delete(1);
            assertTrue(CheckpointSteps.isThere(store, base));
            assertTrue(CheckpointSteps.isThere(store, flushed));
        }
    }

    @Test
    void shouldGiveUpWhatWasFlushedForASavepointOnceNoCheckpointNeedsIt() {
        try (CheckpointStore store = storage().open(JOB)) {
            store.beginSavepoint(2, parent);
            final SegmentHandle flushed = CheckpointSteps.writeShared(store, 2, "task");
            CheckpointSteps.takeSavepoint(store, JOB, 2, "two");
            assertTrue(CheckpointSteps.isThere(store, flushed));
            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(flushed)));
            final SegmentHandle base = CheckpointSteps.writeShared(store, 4, "task");
            store.publish(CheckpointSteps.manifest(JOB, 4, List.of(base)));

            store.delete(3);

            assertFalse(CheckpointSteps.isThere(store, flushed));
        }
    }

    @Test
    void shouldRefuseAPlaceThatTakesNoSavepoint() throws IOException {
        final Path file = Files.createFile(parent.resolve("file"));
        try (CheckpointStore store = storage().open(JOB)) {
            assertRefused(store, 1, parent.resolve("no").resolve("parent"), "no/parent", "missing");
            assertRefused(store, 2, file, "file", "not a folder");
            assertRefused(store, 3, file.resolve("in"), "file", "not a folder");
            Files.createDirectory(parent.resolve("savepoint-a%20job-4"));
            assertRefused(store, 4, parent, "savepoint-a%20job-4", "there already");
            Files.createFile(parent.resolve("savepoint-a%20job-5"));
            assertRefused(store, 5, parent, "savepoint-a%20job-5", "there already");
            // Whoever was refused may give it up as any other.
            store.delete(5);
            assertTrue(Files.exists(parent.resolve("savepoint-a%20job-5")));
        }
    }

    @Test
    void shouldRefuseToPublishWhatIsMissingOrElsewhere() throws IOException {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle shared = CheckpointSteps.writeShared(store, 1, "task");
            final Path folder = store.beginSavepoint(2, parent);
            final SegmentHandle own = CheckpointSteps.write(store, 2, "task-0", "x");
            final SegmentHandle pages = CheckpointSteps.writeOwn(store, 2, "task-0");
            assertThrows(
                    IllegalArgumentException.class,
                    () -> store.publish(CheckpointSteps.with(
                            CheckpointSteps.manifest(JOB, 2, own), List.of(List.of(pages, shared)))));
            store.delete(2);

            store.beginSavepoint(3, parent);
            final SegmentHandle gone = CheckpointSteps.write(store, 3, "task-0", "x");
            Files.delete(parent.resolve("savepoint-a%20job-3").resolve(gone.file()));
            assertThrows(IllegalArgumentException.class, () -> store.publish(CheckpointSteps.manifest(JOB, 3, gone)));
            assertFalse(Files.exists(folder));
        }
    }

    @Test
    void shouldNotDrawTheIdOfASavepointAgain() {
        final long first;
        try (CheckpointStore store = storage().open(JOB)) {
            first = store.nextCheckpointId() + FileCheckpointStore.ID_BLOCK;
            store.beginSavepoint(first, parent);
            CheckpointSteps.takeSavepoint(store, JOB, first, "state");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertTrue(store.nextCheckpointId() > first);
        }
    }

    @Test
    void shouldMakeOwnFilesForSavepointsOnly() {
        try (CheckpointStore store = storage().open(JOB)) {
            assertThrows(IllegalStateException.class, () -> store.shared("task").createOwn(1, "x"));
        }
    }
}
