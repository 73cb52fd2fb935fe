package io.weir.storage.checkpoint;

final class MemoryAdoptionTest extends AdoptionContract {
    private final MemoryCheckpointStorage storage = new MemoryCheckpointStorage();

    @Override
    CheckpointStorage storage() {
        return storage;
    }
}
