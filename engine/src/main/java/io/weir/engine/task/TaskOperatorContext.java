package io.weir.engine.task;

import io.weir.engine.api.OutputTag;
import io.weir.engine.operator.Counter;
import io.weir.engine.operator.IoAction;
import io.weir.engine.operator.OperatorContext;
import io.weir.engine.operator.Receiver;
import io.weir.engine.operator.SourcePartitions;
import io.weir.storage.state.KeyedStateStore;
import java.util.List;
import java.util.Map;

/** What one operator sees of its task. */
final class TaskOperatorContext implements OperatorContext {
    private final String uid;
    private final TaskEnvironment environment;
    private Receiver<Object> output;
    private Map<String, Receiver<Object>> sideOutputs;

    TaskOperatorContext(final String uid, final TaskEnvironment environment) {
        this.uid = uid;
        this.environment = environment;
    }

    void wire(final Receiver<Object> main, final Map<String, Receiver<Object>> sides) {
        output = main;
        sideOutputs = sides;
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
    public int maxParallelism() {
        return environment.maxParallelism();
    }

    @Override
    public long attempt() {
        return environment.attempt();
    }

    @Override
    @SuppressWarnings("unchecked") // the planner has matched the types of outputs and inputs
    public <R> Receiver<R> output() {
        return (Receiver<R>) output;
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public <R> Receiver<R> sideOutput(final OutputTag<R> tag) {
        final Receiver<Object> side = sideOutputs.get(tag.name());
        return (Receiver<R>) (side == null ? new Chain.Discard() : side);
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
