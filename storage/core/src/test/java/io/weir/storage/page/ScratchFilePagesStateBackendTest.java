package io.weir.storage.page;

import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Pages in a mapped file of the real disk. */
final class ScratchFilePagesStateBackendTest extends StateBackendContract {
    @TempDir
    private Path folder;

    @Override
    protected StateBackend backend() {
        return new PagesStateBackend().scratchFolder(folder);
    }
}
