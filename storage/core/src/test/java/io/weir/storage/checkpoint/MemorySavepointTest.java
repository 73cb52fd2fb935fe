package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MemorySavepointTest extends SavepointContract {
    private final MemoryCheckpointStorage storage = new MemoryCheckpointStorage();

    @Override
    CheckpointStorage storage() {
        return storage;
    }

    @Test
    void shouldAskForADirectory() {
        try (CheckpointStore store = storage.open(JOB)) {
            final CheckpointStorageException e =
                    assertThrows(CheckpointStorageException.class, () -> store.beginSavepoint(1, null));
            assertTrue(e.getMessage().contains("name a directory"), e::getMessage);
            assertEquals(List.of(), store.completed());
        }
    }
}
