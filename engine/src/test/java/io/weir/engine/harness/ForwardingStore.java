package io.weir.engine.harness;

import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A store that hands everything on to another: what stands in between overrides what it wants to see. */
public class ForwardingStore implements CheckpointStore {
    private final CheckpointStore store;

    /** Stands in front of it. */
    protected ForwardingStore(final CheckpointStore store) {
        this.store = store;
    }

    /** A storage whose stores have something in front of them. */
    public static CheckpointStorage storage(
            final CheckpointStorage storage, final UnaryOperator<CheckpointStore> stores) {
        return new CheckpointStorage() {
            @Override
            public String location() {
                return storage.location();
            }

            @Override
            public CheckpointStore open(final String jobName) {
                return stores.apply(storage.open(jobName));
            }
        };
    }

    @Override
    public long nextAttempt() {
        return store.nextAttempt();
    }

    @Override
    public long nextCheckpointId() {
        return store.nextCheckpointId();
    }

    @Override
    public Path beginSavepoint(final long checkpointId, final Path directory) {
        return store.beginSavepoint(checkpointId, directory);
    }

    @Override
    public SegmentWriter createSegment(final long checkpointId, final String name) {
        return store.createSegment(checkpointId, name);
    }

    @Override
    public SharedSegments shared(final String task) {
        return store.shared(task);
    }

    @Override
    public void publish(final Manifest manifest) {
        store.publish(manifest);
    }

    @Override
    public long adopt(final Path source, final boolean claim) {
        return store.adopt(source, claim);
    }

    @Override
    public boolean isAdopted(final long checkpointId) {
        return store.isAdopted(checkpointId);
    }

    @Override
    public List<Long> completed() {
        return store.completed();
    }

    @Override
    public Manifest load(final long checkpointId) {
        return store.load(checkpointId);
    }

    @Override
    public SegmentReader openSegment(final SegmentHandle handle) {
        return store.openSegment(handle);
    }

    @Override
    public void delete(final long checkpointId) {
        store.delete(checkpointId);
    }

    @Override
    public void close() {
        store.close();
    }
}
