package io.weir.engine.coordinator;

import java.util.BitSet;
import java.util.List;

/** One checkpoint between its trigger and its end: who has acknowledged, whom to trigger. */
final class PendingCheckpoint {
    private final long checkpointId;
    private final long triggerTimeNs;
    private final CheckpointKind kind;
    private final List<Long> requestIds;
    private final TaskTopology topology;
    private final BitSet acknowledged;
    private final BitSet silent;
    private final BitSet triggered = new BitSet();
    private boolean prepared;

    PendingCheckpoint(
            long checkpointId,
            long triggerTimeNs,
            CheckpointKind kind,
            List<Long> requestIds,
            TaskTopology topology,
            EndingTasks ending) {
        this.checkpointId = checkpointId;
        this.triggerTimeNs = triggerTimeNs;
        this.kind = kind;
        this.requestIds = requestIds;
        this.prepared = !kind.isSavepoint();
        this.topology = topology;
        this.acknowledged = ending.finished();
        this.silent = ending.silent();
    }

    long checkpointId() {
        return checkpointId;
    }

    long triggerTimeNs() {
        return triggerTimeNs;
    }

    CheckpointKind kind() {
        return kind;
    }

    List<Long> requestIds() {
        return requestIds;
    }

    /** The place of a savepoint is there. */
    void prepare() {
        prepared = true;
    }

    boolean isPrepared() {
        return prepared;
    }

    boolean isAcknowledgedBy(int task) {
        return acknowledged.get(task);
    }

    int acknowledgedCount() {
        return acknowledged.cardinality();
    }

    boolean isFullyAcknowledged() {
        return prepared && acknowledged.cardinality() == topology.taskCount();
    }

    void acknowledge(int task) {
        acknowledged.set(task);
    }

    /** The task ended its data, without a barrier as far as is known; its acknowledgement is still to come. */
    void endData(int task) {
        silent.set(task);
    }

    /** The task finished without a snapshot: its final state stands for it, and it sends no barrier. */
    void finish(int task) {
        acknowledged.set(task);
        silent.set(task);
    }

    /**
     * Triggers the tasks that no barrier can reach: all their senders ended without sending one. A task with one sender
     * that did send is not triggered: it meets that barrier in its place, and ends of data on its other inputs. A sender
     * whose barrier is not known of yet may cause a trigger in vain, which the task ignores. None before the place of a savepoint is
     * there.
     */
    void triggerUnreachable(List<CoordinatorAction> actions) {
        if (!prepared) {
            return;
        }
        for (int task = acknowledged.nextClearBit(0);
                task < topology.taskCount();
                task = acknowledged.nextClearBit(task + 1)) {
            if (!triggered.get(task) && topology.isFedOnlyBy(silent, task)) {
                triggered.set(task);
                actions.add(new CoordinatorAction.TriggerTask(task, checkpointId, triggerTimeNs, kind));
            }
        }
    }
}
