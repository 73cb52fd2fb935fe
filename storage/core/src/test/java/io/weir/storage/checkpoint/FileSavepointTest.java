package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FileSavepointTest extends SavepointContract {
    @Override
    CheckpointStorage storage() {
        return new FileCheckpointStorage(parent.resolve("checkpoints"));
    }

    private Path jobFolder() {
        return parent.resolve("checkpoints").resolve("a%20job");
    }

    @Test
    void shouldTakeTheJobsFolderWhereNoDirectoryIsGiven() throws IOException {
        final Path folder;
        try (CheckpointStore store = storage().open(JOB)) {
            CheckpointSteps.take(store, JOB, 1, "one");
            folder = store.beginSavepoint(2, null);
            CheckpointSteps.takeSavepoint(store, JOB, 2, "two");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(1L), store.completed());
        }
        assertEquals(jobFolder().resolve("savepoint-2"), folder);
        assertEquals(5, names(folder).size());
        assertEquals(
                List.of(1L),
                CheckpointFolder.at(new DiskFileStore(), jobFolder()).checkpoints());
    }

    @Test
    void shouldSweepWhatNobodyPublishedInTheJobsFolder() throws IOException {
        final Path unpublished;
        final Path named;
        final Path published;
        final Path strange = jobFolder().resolve("savepoint-notes-3");
        try (CheckpointStore store = storage().open(JOB)) {
            unpublished = store.beginSavepoint(2, null);
            CheckpointSteps.write(store, 2, "task-0", "x");
            named = store.beginSavepoint(3, jobFolder());
            CheckpointSteps.write(store, 3, "task-0", "x");
            published = store.beginSavepoint(4, null);
            CheckpointSteps.takeSavepoint(store, JOB, 4, "four");
            Files.createDirectory(strange);
        }

        storage().open(JOB).close();

        assertFalse(Files.exists(unpublished));
        assertFalse(Files.exists(named));
        assertEquals(5, names(published).size());
        assertTrue(Files.exists(strange));
    }

    @Test
    void shouldNameASavepointThatCanNotBeRead() throws IOException {
        final Path folder;
        try (CheckpointStore store = storage().open(JOB)) {
            folder = store.beginSavepoint(2, parent);
            CheckpointSteps.takeSavepoint(store, JOB, 2, "two");
        }
        final byte[] bytes = Files.readAllBytes(folder.resolve("manifest"));
        bytes[bytes.length - 1] ^= 1;
        Files.write(folder.resolve("manifest"), bytes);

        assertEquals(2, CheckpointFolder.at(new DiskFileStore(), folder).only());
        final Path renamed = parent.resolve("renamed");
        Files.move(folder, renamed);
        final CheckpointStorageException e =
                assertThrows(CheckpointStorageException.class, () -> CheckpointFolder.at(new DiskFileStore(), renamed));
        assertTrue(e.getMessage().contains("renamed"), e::getMessage);
        assertTrue(e.getMessage().contains("checksum"), e::getMessage);
    }
}
