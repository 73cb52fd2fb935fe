package io.weir.storage.checkpoint;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.MemoryFileStore;
import java.nio.file.Path;

/**
 * Checkpoints in memory, in the same formats as on a disk: they outlive a store, not this object. Savepoints go to a directory on
 * the real disk, which has to be named. For tests and for jobs that need not outlive their process.
 */
public final class MemoryCheckpointStorage implements CheckpointStorage {
    private final CheckpointStorage storage =
            new FileCheckpointStorage(new MemoryFileStore(), Path.of("/").toAbsolutePath(), new DiskFileStore());

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public CheckpointStore open(final String jobName) {
        return storage.open(jobName);
    }
}
