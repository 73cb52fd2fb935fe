package io.weir.storage.state;

/** The tests' own backend keeps the contract too, else what is tested with it proves nothing. */
final class DeltaStateBackendTest extends StateBackendContract {
    @Override
    protected StateBackend backend() {
        return new DeltaStateBackend();
    }
}
