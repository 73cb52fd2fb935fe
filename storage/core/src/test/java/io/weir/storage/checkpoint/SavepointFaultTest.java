package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.SimulatedCrash;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The machine or the process dies, or the disk fails, at every single operation of savepoints that are taken and given up. */
final class SavepointFaultTest {
    private static final String JOB = "job";
    private static final Path FOLDER = Path.of("/job");
    private static final Path SAVEPOINTS = Path.of("/savepoints");
    private static final int SEEDS = 3;

    private static CheckpointStore open(final SimulatedFileStore disk) {
        return new FileCheckpointStorage(disk, Path.of("/")).open(JOB);
    }

    /** What a life was told. */
    private static final class Life {
        private final SimulatedFileStore disk;
        private boolean isOwnPublished;
        private boolean isOtherPublished;
        private SegmentHandle base;
        private SegmentHandle flushed;
        private boolean isCompleted;

        private Life(final SimulatedFileStore disk) {
            this.disk = disk;
        }

        private void run() {
            try (CheckpointStore store = open(disk)) {
                base = CheckpointSteps.writeShared(store, 1, "task");
                store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
                store.beginSavepoint(2, null);
                CheckpointSteps.takeSavepoint(store, JOB, 2, "two");
                isOwnPublished = true;
                store.beginSavepoint(3, null);
                CheckpointSteps.write(store, 3, "task-0", "three");
                flushed = CheckpointSteps.writeShared(store, 3, "task");
                store.delete(3);
                store.beginSavepoint(4, SAVEPOINTS);
                CheckpointSteps.takeSavepoint(store, JOB, 4, "four");
                isOtherPublished = true;
                store.publish(CheckpointSteps.manifest(JOB, 5, List.of(base, flushed)));
                isCompleted = true;
            }
        }

        private void assertRecovered() {
            try (CheckpointStore store = open(disk)) {
                final List<Long> completed = store.completed();
                if (isCompleted) {
                    assertEquals(List.of(1L, 5L), completed);
                }
                for (final long id : completed) {
                    assertTrue(CheckpointSteps.isThere(store, base), id + " needs the base");
                }
                assertTrue(!completed.contains(5L) || CheckpointSteps.isThere(store, flushed), "5 needs the flush");
                assertEquals(FileKind.ABSENT, disk.kind(FOLDER.resolve("savepoint-3")));
            }
            assertWhole(FOLDER.resolve("savepoint-2"), 2, isOwnPublished, true);
            assertWhole(SAVEPOINTS.resolve("savepoint-job-4"), 4, isOtherPublished, false);
        }

        /** A savepoint whose manifest is there is whole, and one that was published is there. */
        private void assertWhole(final Path folder, final long id, final boolean isPublished, final boolean isSwept) {
            if (disk.kind(folder.resolve("manifest")) == FileKind.ABSENT) {
                assertTrue(!isPublished, folder + " was published and is gone");
                assertTrue(!isSwept || disk.kind(folder) == FileKind.ABSENT, folder + " is not swept");
                return;
            }
            final CheckpointFolder looked = CheckpointFolder.at(disk, folder);
            assertTrue(looked.isSavepoint());
            final Manifest manifest = looked.load(id);
            for (final Manifest.TaskPart task : manifest.tasks()) {
                try (SegmentReader reader =
                        SegmentFiles.open(disk, looked.path(manifest, task.segment()), task.segment())) {
                    assertEquals(1, reader.sections().size());
                }
                task.shared().forEach(pages -> assertEquals(FileKind.FILE, disk.kind(looked.path(manifest, pages))));
            }
        }
    }

    private static long operationsOfALife() {
        final SimulatedFileStore disk = new SimulatedFileStore(0);
        final Life life = new Life(disk);
        life.run();
        life.assertRecovered();
        return disk.operations();
    }

    @Test
    void shouldHaveWholeSavepointsOrNoneWhereverTheMachineOrTheProcessDies() {
        final long operations = operationsOfALife();
        assertTrue(operations > 100, "a life has only " + operations + " operations");
        Deaths.each(SEEDS, operations, SavepointFaultTest::dieAndReopen);
    }

    private static void dieAndReopen(final Deaths.Death death) {
        final SimulatedFileStore disk = death.disk();
        final Life life = new Life(disk);
        try {
            life.run();
        } catch (final SimulatedCrash e) {
            assertTrue(disk.isDead());
        }
        death.bury(disk);
        life.assertRecovered();
        disk.crash();
        life.assertRecovered();
    }

    @Test
    void shouldGiveUpASavepointWhicheverOperationFails() {
        int unknown = 0;
        for (long n = 1; n < 60; n++) {
            final SimulatedFileStore disk = new SimulatedFileStore(n);
            try (CheckpointStore store = open(disk)) {
                disk.failAt(n);
                try {
                    store.beginSavepoint(1, SAVEPOINTS);
                    CheckpointSteps.takeSavepoint(store, JOB, 1, "one");
                    disk.calm();
                    continue;
                } catch (final CheckpointStorageException | FileException e) {
                    assertTrue(e.getMessage().contains("simulated disk failed"), e::getMessage);
                } catch (final SnapshotException e) {
                    assertTrue(e.getMessage().contains("simulated disk failed"), e::getMessage);
                    unknown += e.isOutcomeUnknown() ? 1 : 0;
                }
                disk.calm();

                store.delete(1);

                assertTrue(
                        disk.kind(SAVEPOINTS) == FileKind.ABSENT
                                || disk.list(SAVEPOINTS).isEmpty(),
                        "operation " + n);
                store.beginSavepoint(2, SAVEPOINTS);
                CheckpointSteps.takeSavepoint(store, JOB, 2, "two");
                assertTrue(CheckpointFolder.at(disk, SAVEPOINTS.resolve("savepoint-job-2"))
                        .isCompleted(2));
            }
        }
        assertTrue(unknown > 0, "no outcome was unknown");
    }

    @Test
    void shouldDeleteTheManifestFirstWhenTheOutcomeIsUnknown() {
        for (int seed = 0; seed < 20; seed++) {
            for (long dying = 1; dying < 12; dying++) {
                final SimulatedFileStore disk = new SimulatedFileStore(seed);
                final CheckpointStore store = open(disk);
                store.beginSavepoint(1, SAVEPOINTS);
                final SegmentHandle segment = CheckpointSteps.write(store, 1, "task-0", "one");
                final Manifest manifest = CheckpointSteps.manifest(JOB, 1, segment);
                // All but the last of its operations, which forces the manifest's name.
                disk.failAt(operationsOfAPublish());
                final SnapshotException e = assertThrows(SnapshotException.class, () -> store.publish(manifest));
                assertTrue(e.isOutcomeUnknown(), e::getMessage);
                disk.calm();
                disk.crashAfter(dying);
                try {
                    store.delete(1);
                } catch (final SimulatedCrash died) {
                    assertTrue(disk.isDead());
                }
                disk.crash();

                final Path folder = SAVEPOINTS.resolve("savepoint-job-1");
                if (disk.kind(folder.resolve("manifest")) == FileKind.FILE) {
                    SegmentFiles.open(disk, folder.resolve(segment.file()), segment)
                            .close();
                }
            }
        }
    }

    private static long operationsOfAPublish() {
        final SimulatedFileStore disk = new SimulatedFileStore(0);
        try (CheckpointStore store = open(disk)) {
            store.beginSavepoint(1, SAVEPOINTS);
            final Manifest manifest =
                    CheckpointSteps.manifest(JOB, 1, CheckpointSteps.write(store, 1, "task-0", "one"));
            final long before = disk.operations();
            store.publish(manifest);
            return disk.operations() - before;
        }
    }
}
