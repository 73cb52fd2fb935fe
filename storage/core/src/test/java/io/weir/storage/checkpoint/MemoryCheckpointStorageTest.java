package io.weir.storage.checkpoint;

final class MemoryCheckpointStorageTest extends CheckpointStorageContract {
    private final MemoryCheckpointStorage storage = new MemoryCheckpointStorage();

    @Override
    protected CheckpointStorage storage() {
        return storage;
    }
}
