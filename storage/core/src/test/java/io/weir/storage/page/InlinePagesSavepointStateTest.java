package io.weir.storage.page;

import io.weir.storage.state.SavepointStateContract;
import io.weir.storage.state.StateBackend;

/** Pages of which a restored checkpoint is read without a thread. */
final class InlinePagesSavepointStateTest extends SavepointStateContract {
    @Override
    protected StateBackend backend() {
        return new PagesStateBackend().withoutThreads();
    }
}
