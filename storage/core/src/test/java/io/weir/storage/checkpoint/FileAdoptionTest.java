package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FileAdoptionTest extends AdoptionContract {
    @Override
    CheckpointStorage storage() {
        return new FileCheckpointStorage(parent.resolve("checkpoints"));
    }

    private Path folder() {
        return parent.resolve("checkpoints").resolve(JOB);
    }

    @Test
    void shouldLayOutWhatItAdoptsAsItsOwn() throws IOException {
        final Path source;
        try (CheckpointStore store = new FileCheckpointStorage(parent.resolve("others")).open(OTHER)) {
            source = store.beginSavepoint(7, null);
            CheckpointSteps.takeSavepoint(store, OTHER, 7, "seven");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            store.adopt(source, false);
        }

        assertEquals(
                List.of("adopted", "chk-7", "counters", "job", "lock", "shared"), SavepointContract.names(folder()));
        assertEquals(
                List.of("manifest", "task-0.segment", "task-1.segment"),
                SavepointContract.names(folder().resolve("chk-7")));
        assertEquals(2, SavepointContract.names(folder().resolve("shared")).size());
    }

    @Test
    void shouldTakeItsOwnNewestCheckpointByItsPathAndNoOlderOne() {
        final Path first = folder().resolve("chk-1");
        try (CheckpointStore store = storage().open(JOB)) {
            CheckpointSteps.take(store, JOB, 1, "one");
            assertEquals(1, store.adopt(first, false));
            CheckpointSteps.take(store, JOB, 2, "two");
            CheckpointSteps.take(store, JOB, 3, "three");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(3, store.adopt(first, false), "a restart with the same arguments goes on");
            assertThrows(CheckpointStorageException.class, () -> store.adopt(folder().resolve("chk-2"), false));
            assertEquals(List.of(1L, 2L, 3L), store.completed());
        }
    }

    @Test
    void shouldNameADamagedListOfSources() throws IOException {
        storage().open(JOB).close();
        Files.write(folder().resolve("adopted"), new byte[60]);

        final CheckpointStorageException e =
                assertThrows(CheckpointStorageException.class, () -> storage().open(JOB));

        assertTrue(e.getMessage().contains("adopted"), e::getMessage);
        Files.delete(folder().resolve("adopted"));
        storage().open(JOB).close();
    }
}
