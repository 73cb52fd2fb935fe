package io.weir.engine.task;

import io.weir.engine.api.OutputTag;
import io.weir.engine.operator.Counter;
import io.weir.engine.operator.IoAction;
import io.weir.engine.operator.OperatorContext;
import io.weir.engine.operator.Outputs;
import io.weir.engine.operator.Receiver;
import io.weir.engine.operator.SourcePartitions;
import io.weir.storage.state.KeyedStateStore;
import java.util.List;

/** What one operator sees of its task. */
final class TaskOperatorContext implements OperatorContext {
    private final String uid;
    private final TaskEnvironment environment;
    private Outputs outputs;

    TaskOperatorContext(final String uid, final TaskEnvironment environment) {
        this.uid = uid;
        this.environment = environment;
    }

    void wire(final Outputs wired) {
        outputs = wired;
    }

    @Override
    public String jobName() {
        return environment.jobName();
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public int subtask() {
        return environment.id().subtask();
    }

    @Override
    public int parallelism() {
        return environment.id().parallelism();
    }

    @Override
    public boolean isRescaled() {
        return environment.restored().isRescaled(uid);
    }

    @Override
    public boolean leavesUnclaimedState() {
        return environment.restored().leavesUnclaimed();
    }

    @Override
    public int maxParallelism() {
        return environment.maxParallelism();
    }

    @Override
    public long attempt() {
        return environment.attempt();
    }

    @Override
    public <R> Receiver<R> output() {
        return outputs.main();
    }

    @Override
    public <R> Receiver<R> sideOutput(final OutputTag<R> tag) {
        return outputs.side(tag);
    }

    @Override
    public KeyedStateStore state() {
        return environment.store();
    }

    @Override
    public List<byte[]> restored(final String name) {
        return environment.restored().list(uid, name);
    }

    @Override
    public List<byte[]> restoredOfAll(final String name) {
        return environment.restored().listOfAll(uid, name);
    }

    @Override
    public List<byte[]> restoredBroadcast(final String name) {
        return environment.restored().takeBroadcast(uid, name);
    }

    @Override
    public long restoredWatermarkNs() {
        return environment.restored().watermarkNs();
    }

    @Override
    public SourcePartitions partitions() {
        return environment.partitions();
    }

    @Override
    public boolean outputBlocked() {
        return environment.outputs().isBlocked();
    }

    @Override
    public long nowNs() {
        return environment.nowNs();
    }

    @Override
    public void execute(final IoAction action, final Runnable onDone) {
        environment.execute(uid, action, onDone);
    }

    @Override
    public Counter counter(final String name) {
        return environment.counters().counter(uid, name);
    }
}
