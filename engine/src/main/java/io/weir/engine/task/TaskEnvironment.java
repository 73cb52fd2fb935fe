package io.weir.engine.task;

import io.weir.engine.operator.IoAction;
import io.weir.engine.operator.SourcePartitions;
import io.weir.storage.state.KeyedStateStore;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/** What all parts of one task share. Task thread, but for the mailbox, into which any thread may put. */
final class TaskEnvironment {
    private final TaskId id;
    private final String jobName;
    private final int attempt;
    private final int maxParallelism;
    private final KeyedStateStore store;
    private final RestoredTask restored;
    private final TaskOutputs outputs;
    private final IoLane lane;
    private final TaskListener listener;
    private final EpochNanoClock clock;
    private final TaskCounters counters = new TaskCounters();
    private final ManyToOneConcurrentLinkedQueue<TaskMessage> mailbox = new ManyToOneConcurrentLinkedQueue<>();
    private SourcePartitions partitions;
    private long nowNs;

    TaskEnvironment(
            final TaskId id,
            final TaskSettings settings,
            final KeyedStateStore store,
            final RestoredTask restored,
            final TaskOutputs outputs) {
        this.id = id;
        jobName = settings.jobName();
        attempt = settings.attempt();
        maxParallelism = settings.maxParallelism();
        lane = new IoLane(settings.io());
        listener = settings.listener();
        clock = settings.clock();
        this.store = store;
        this.restored = restored;
        this.outputs = outputs;
    }

    TaskId id() {
        return id;
    }

    String jobName() {
        return jobName;
    }

    int attempt() {
        return attempt;
    }

    int maxParallelism() {
        return maxParallelism;
    }

    KeyedStateStore store() {
        return store;
    }

    RestoredTask restored() {
        return restored;
    }

    TaskOutputs outputs() {
        return outputs;
    }

    IoLane lane() {
        return lane;
    }

    TaskCounters counters() {
        return counters;
    }

    ManyToOneConcurrentLinkedQueue<TaskMessage> mailbox() {
        return mailbox;
    }

    SourcePartitions partitions() {
        return partitions;
    }

    void partitions(final SourcePartitions ofSource) {
        partitions = ofSource;
    }

    /** The time of the duty cycle. */
    long nowNs() {
        return nowNs;
    }

    /** For what is to be measured; not for every record. */
    EpochNanoClock clock() {
        return clock;
    }

    void nowNs(final long now) {
        nowNs = now;
    }

    void badRecord(final String reason) {
        listener.skipped(id, reason);
    }

    void caughtUp() {
        listener.caughtUp(id, attempt);
    }

    void execute(final String uid, final IoAction action, final Runnable onDone) {
        lane.execute(() -> {
            if (lane.isClosed()) {
                return;
            }
            try {
                action.run();
                mailbox.add(new TaskMessage.IoDone(onDone));
            } catch (final Throwable e) { // an Error too: who waits for the answer must get one
                mailbox.add(new TaskMessage.IoFailed(uid, e));
            }
        });
    }
}
