package io.weir.storage.page;

import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateBackendContract;

/** Directories of four pages at most, so that pages are chained. */
final class ShallowPagesStateBackendTest extends StateBackendContract {
    @Override
    protected StateBackend backend() {
        return new PagesStateBackend(new PagesSettings(null, 0.5, 0, 2));
    }
}
