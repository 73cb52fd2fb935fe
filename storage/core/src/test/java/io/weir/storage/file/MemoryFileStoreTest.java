package io.weir.storage.file;

import java.nio.file.Path;

final class MemoryFileStoreTest extends FileStoreContract {
    private final MemoryFileStore files = new MemoryFileStore();

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected Path directory() {
        return Path.of("/");
    }
}
