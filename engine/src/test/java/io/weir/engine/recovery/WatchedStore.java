package io.weir.engine.recovery;

import io.weir.engine.harness.ForwardingStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A store in memory that writes down which manifests it is to publish and which checkpoints to delete, and calls a test before
 * it does, holding its monitor as the file store does; what the test throws is the store's failure.
 */
final class WatchedStore extends ForwardingStore {
    private final List<String> calls = new ArrayList<>();
    private Consumer<String> before = call -> {};
    private Runnable onClosed = () -> {};
    private UnaryOperator<SegmentWriter> segments = UnaryOperator.identity();

    WatchedStore(final String jobName) {
        super(new MemoryCheckpointStorage().open(jobName));
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
        return super.nextAttempt();
    }

    @Override
    public SegmentWriter createSegment(final long checkpointId, final String name) {
        return segments.apply(super.createSegment(checkpointId, name));
    }

    @Override
    public synchronized void publish(final Manifest manifest) {
        call("publish " + manifest.checkpointId());
        super.publish(manifest);
    }

    @Override
    public synchronized void delete(final long checkpointId) {
        call("delete " + checkpointId);
        super.delete(checkpointId);
    }

    @Override
    public synchronized void close() {
        super.close();
        onClosed.run();
    }

    private void call(final String call) {
        calls.add(call);
        before.accept(call);
    }
}
