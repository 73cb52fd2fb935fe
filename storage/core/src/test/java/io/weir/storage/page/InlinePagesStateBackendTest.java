package io.weir.storage.page;

import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateBackendContract;

/** Pages of which a restored checkpoint is read without a thread. */
final class InlinePagesStateBackendTest extends StateBackendContract {
    @Override
    protected StateBackend backend() {
        return new PagesStateBackend().withoutThreads();
    }
}
