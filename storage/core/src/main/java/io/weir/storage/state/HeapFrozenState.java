package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.List;

/** The copies of all tables of a store. */
final class HeapFrozenState implements FrozenState {
    private volatile List<FrozenEntries> tables;

    HeapFrozenState(final List<FrozenEntries> tables) {
        this.tables = tables;
    }

    @Override
    public List<SegmentHandle> writeTo(final long checkpointId, final SegmentWriter own) {
        writeCanonical(checkpointId, own);
        return List.of();
    }

    @Override
    public void writeCanonical(final long checkpointId, final SegmentWriter own) {
        final List<FrozenEntries> copies = tables;
        if (copies == null) {
            throw new IllegalStateException("the frozen state is closed");
        }
        copies.forEach(table -> table.writeTo(own));
    }

    @Override
    public List<SegmentHandle> writeNative(final long checkpointId, final SegmentWriter own) {
        return writeTo(checkpointId, own);
    }

    @Override
    public void close() {
        tables = null;
    }
}
