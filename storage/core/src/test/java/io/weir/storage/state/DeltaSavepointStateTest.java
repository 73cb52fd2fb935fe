package io.weir.storage.state;

final class DeltaSavepointStateTest extends SavepointStateContract {
    @Override
    protected StateBackend backend() {
        return new DeltaStateBackend();
    }
}
