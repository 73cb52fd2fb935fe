package io.weir.storage.page;

import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateBackendContract;

final class PagesStateBackendTest extends StateBackendContract {
    @Override
    protected StateBackend backend() {
        return new PagesStateBackend();
    }
}
