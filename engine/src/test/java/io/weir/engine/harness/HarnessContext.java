package io.weir.engine.harness;

import io.weir.engine.api.OutputTag;
import io.weir.engine.operator.Counter;
import io.weir.engine.operator.IoAction;
import io.weir.engine.operator.OperatorContext;
import io.weir.engine.operator.Receiver;
import io.weir.engine.operator.Redistribution;
import io.weir.engine.operator.SourcePartitions;
import io.weir.storage.state.KeyedStateStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** What a harness gives its operator between two restores. */
final class HarnessContext implements OperatorContext {
    private final OperatorHarness<?> harness;
    private final KeyedStateStore store;
    private final List<OperatorHarness.Snapshot> restored;
    private final long restoredWatermarkNs;
    private final Queue<Io> actions = new ArrayDeque<>();
    private final Map<String, Counter> counters = new HashMap<>();

    HarnessContext(
            final OperatorHarness<?> harness,
            final KeyedStateStore store,
            final List<OperatorHarness.Snapshot> restored,
            final long restoredWatermarkNs) {
        this.harness = harness;
        this.store = store;
        this.restored = restored;
        this.restoredWatermarkNs = restoredWatermarkNs;
    }

    /** Runs what was handed to the I/O thread. */
    void runActions() throws Exception {
        for (Io io = actions.poll(); io != null; io = actions.poll()) {
            io.action.run();
            io.onDone.run();
        }
    }

    @Override
    public String jobName() {
        return "job";
    }

    @Override
    public String uid() {
        return "op";
    }

    @Override
    public int subtask() {
        return harness.subtask();
    }

    @Override
    public int parallelism() {
        return harness.parallelism();
    }

    @Override
    public boolean isRescaled() {
        return !restored.isEmpty() && restored.get(0).parallelism() != harness.parallelism();
    }

    @Override
    public int maxParallelism() {
        return OperatorHarness.MAX_PARALLELISM;
    }

    @Override
    public long attempt() {
        return harness.attempt();
    }

    @Override
    @SuppressWarnings("unchecked") // It takes anything.
    public <R> Receiver<R> output() {
        return (Receiver<R>) harness.next();
    }

    @Override
    @SuppressWarnings("unchecked") // It takes anything.
    public <R> Receiver<R> sideOutput(final OutputTag<R> tag) {
        return (Receiver<R>) harness.sideOutput(tag.name());
    }

    @Override
    public KeyedStateStore state() {
        return store;
    }

    @Override
    public List<byte[]> restored(final String name) {
        return restored.isEmpty()
                ? List.of()
                : Redistribution.split(ofSubtasks(name), harness.subtask(), harness.parallelism());
    }

    @Override
    public List<byte[]> restoredOfAll(final String name) {
        return Redistribution.union(ofSubtasks(name));
    }

    @Override
    public List<byte[]> restoredBroadcast(final String name) {
        for (final OperatorHarness.Snapshot snapshot : restored) {
            if (Redistribution.broadcastSource(harness.subtask(), snapshot.parallelism()) == snapshot.subtask()) {
                return snapshot.broadcastState(name);
            }
        }
        return List.of();
    }

    private List<List<byte[]>> ofSubtasks(final String name) {
        final List<List<byte[]>> elements = new ArrayList<>();
        for (int i = 0; !restored.isEmpty() && i < restored.get(0).parallelism(); i++) {
            elements.add(List.of());
        }
        restored.forEach(snapshot -> elements.set(snapshot.subtask(), snapshot.listState(name)));
        return elements;
    }

    @Override
    public long restoredWatermarkNs() {
        return restoredWatermarkNs;
    }

    @Override
    public SourcePartitions partitions() {
        return harness.partitions();
    }

    @Override
    public boolean outputBlocked() {
        return harness.output().isBlocked();
    }

    @Override
    public long nowNs() {
        return harness.nowNs();
    }

    @Override
    public void execute(final IoAction action, final Runnable onDone) {
        actions.add(new Io(action, onDone));
    }

    @Override
    public Counter counter(final String name) {
        return counters.computeIfAbsent(name, key -> harness.newCounter(key));
    }

    private record Io(IoAction action, Runnable onDone) {}
}
