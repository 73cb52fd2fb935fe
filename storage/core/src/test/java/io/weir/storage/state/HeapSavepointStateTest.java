package io.weir.storage.state;

final class HeapSavepointStateTest extends SavepointStateContract {
    @Override
    protected StateBackend backend() {
        return new HeapStateBackend();
    }
}
