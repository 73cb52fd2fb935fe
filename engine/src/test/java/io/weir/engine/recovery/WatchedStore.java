package io.weir.engine.recovery;

import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A store in memory that writes down which manifests it is to publish and which checkpoints to delete, and calls a test before
 * it does, holding its monitor as the file store does; what the test throws is the store's failure.
 */
final class WatchedStore implements CheckpointStore {
    private final CheckpointStore store;
    private final List<String> calls = new ArrayList<>();
    private Consumer<String> before = call -> {};
    private Runnable onClosed = () -> {};
    private UnaryOperator<SegmentWriter> segments = UnaryOperator.identity();

    WatchedStore(final String jobName) {
        store = new MemoryCheckpointStorage().open(jobName);
    }

    /** Calls it before each call is done: those that are written down, and {@code attempt} for the next one's number. */
    WatchedStore before(final Consumer<String> hook) {
        before = hook;
        return this;
    }

    /** Calls it when the store has been closed. */
    WatchedStore onClosed(final Runnable hook) {
        onClosed = hook;
        return this;
    }

    /** Lets something stand between who writes segments and their writers. */
    WatchedStore segments(final UnaryOperator<SegmentWriter> hook) {
        segments = hook;
        return this;
    }

    /** What it was to do since the last call: {@code publish 1}, {@code delete 1}. */
    synchronized List<String> take() {
        final List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public long nextAttempt() {
        before.accept("attempt");
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
        return segments.apply(store.createSegment(checkpointId, name));
    }

    @Override
    public SharedSegments shared(final String task) {
        return store.shared(task);
    }

    @Override
    public synchronized void publish(final Manifest manifest) {
        call("publish " + manifest.checkpointId());
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
    public synchronized void delete(final long checkpointId) {
        call("delete " + checkpointId);
        store.delete(checkpointId);
    }

    @Override
    public synchronized void close() {
        store.close();
        onClosed.run();
    }

    private void call(final String call) {
        calls.add(call);
        before.accept(call);
    }
}
