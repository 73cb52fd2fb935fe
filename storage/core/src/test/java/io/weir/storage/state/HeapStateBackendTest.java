package io.weir.storage.state;

final class HeapStateBackendTest extends StateBackendContract {
    @Override
    protected StateBackend backend() {
        return new HeapStateBackend();
    }
}
