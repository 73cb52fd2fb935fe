package io.weir.storage.page;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.StoreContext;
import java.util.List;

/** One snapshot of a store of pages, as the state SPI wants it. */
final class FrozenPageState implements FrozenState {
    private final StoreContext context;
    private final SegmentChain chain;
    private final FrozenPages frozen;
    private final CutTime cutTime;

    FrozenPageState(
            final StoreContext context, final SegmentChain chain, final FrozenPages frozen, final CutTime cutTime) {
        this.context = context;
        this.chain = chain;
        this.frozen = frozen;
        this.cutTime = cutTime;
    }

    @Override
    public List<SegmentHandle> writeTo(final long checkpointId, final SegmentWriter own) {
        return chain.flush(checkpointId, frozen);
    }

    @Override
    public void writeCanonical(final long checkpointId, final SegmentWriter own) {
        chain.flush(checkpointId, frozen);
        try (RestoredChains flushed = chain.open()) {
            new CanonicalWriter(context, flushed, cutTime).writeTo(own, frozen.tables());
        }
    }

    @Override
    public List<SegmentHandle> writeNative(final long checkpointId, final SegmentWriter own) {
        chain.flush(checkpointId, frozen);
        return List.of(chain.writeOwn(checkpointId, frozen.tables()));
    }

    @Override
    public void close() {
        frozen.close();
    }
}
