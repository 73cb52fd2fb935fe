package io.weir.storage.page;

import io.weir.storage.state.SavepointStateContract;
import io.weir.storage.state.StateBackend;

final class PagesSavepointStateTest extends SavepointStateContract {
    @Override
    protected StateBackend backend() {
        return new PagesStateBackend();
    }
}
