package io.weir.engine.task;

import io.weir.engine.task.TaskListener.Decline;
import io.weir.engine.task.TaskListener.Decline.Reason;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a task's snapshots: the cut on the task thread (pre-barrier hook, barriers out, state frozen, nothing in between),
 * the writing on an I/O thread, the acknowledgement when everything is durable.
 */
final class SnapshotDriver {
    private final TaskEnvironment environment;
    private final Chain chain;
    private final TaskInput input;
    private final CheckpointStore checkpoints;
    private final TaskListener listener;
    private final List<TaskSnapshot> inFlight = new ArrayList<>();
    private long lastCompletedId;

    SnapshotDriver(
            final TaskEnvironment environment, final Chain chain, final TaskInput input, final TaskSettings settings) {
        this.environment = environment;
        this.chain = chain;
        this.input = input;
        checkpoints = settings.checkpoints();
        listener = settings.listener();
    }

    /** The cut of a task whose outputs are still open. */
    void cut(final long checkpointId, final long triggerTimeNs, final int options) {
        try {
            chain.beforeBarrier(checkpointId);
        } catch (final Exception e) {
            environment.outputs().cancellation(checkpointId);
            decline(checkpointId, Reason.SNAPSHOT_FAILED, e);
            return;
        }
        environment.outputs().barrier(checkpointId, triggerTimeNs, options);
        cutBehindOutputs(checkpointId, false);
    }

    /** The cut of a task that has sent its end of data, which stands for its barriers. */
    void cutBehindOutputs(final long checkpointId, final boolean finished) {
        final TaskSnapshot snapshot = new TaskSnapshot(checkpointId, input.watermarkNs());
        try {
            if (input.isRestoredFinished()) {
                snapshot.listState(environment.restored().all());
            } else {
                input.beforeFreeze();
                chain.snapshot(snapshot);
            }
            snapshot.keyedState(environment.store().freeze(environment.nowNs()));
        } catch (final Exception e) {
            decline(checkpointId, Reason.SNAPSHOT_FAILED, e);
            return;
        }
        inFlight.add(snapshot);
        if (!environment.lane().execute(() -> write(snapshot, finished))) {
            snapshot.close();
        }
    }

    void complete(final long checkpointId) throws Exception {
        inFlight.removeIf(snapshot -> snapshot.checkpointId() <= checkpointId);
        if (checkpointId > lastCompletedId) {
            lastCompletedId = checkpointId;
            if (!input.isRestoredFinished()) {
                chain.checkpointComplete(checkpointId);
            }
        }
    }

    void abort(final long checkpointId) {
        for (final TaskSnapshot snapshot : inFlight) {
            if (snapshot.checkpointId() == checkpointId) {
                snapshot.abort();
            }
        }
        inFlight.removeIf(TaskSnapshot::isAborted);
        if (!input.isRestoredFinished()) {
            chain.checkpointAborted(checkpointId);
        }
    }

    void decline(final long checkpointId, final Reason reason, final Throwable cause) {
        listener.declined(environment.id(), environment.attempt(), checkpointId, new Decline(reason, cause));
    }

    private void write(final TaskSnapshot snapshot, final boolean finished) {
        final long checkpointId = snapshot.checkpointId();
        try {
            if (environment.lane().isClosed()) {
                return;
            }
            snapshot.runBeforeAcknowledge();
            if (snapshot.isAborted()) {
                return;
            }
            final TaskSnapshot.Written written;
            try (SegmentWriter writer =
                    checkpoints.createSegment(checkpointId, environment.id().segmentName())) {
                written = snapshot.writeTo(writer);
            }
            final TaskId id = environment.id();
            final TaskPart part = new TaskPart(
                    id.vertexUid(),
                    input.uids(chain),
                    id.subtask(),
                    id.parallelism(),
                    finished,
                    written.own(),
                    written.shared());
            listener.acknowledged(id, environment.attempt(), checkpointId, part);
        } catch (final Throwable e) { // an Error too: the coordinator must get an answer
            decline(checkpointId, Reason.SNAPSHOT_FAILED, e);
        } finally {
            snapshot.close();
        }
    }
}
