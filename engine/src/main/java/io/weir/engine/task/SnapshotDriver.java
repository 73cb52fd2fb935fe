package io.weir.engine.task;

import io.weir.engine.barrier.BarrierAction;
import io.weir.engine.barrier.BarrierMetrics;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.engine.barrier.CheckpointingMode;
import io.weir.engine.task.TaskListener.Decline;
import io.weir.engine.task.TaskListener.Decline.Reason;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest.TaskPart;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.EpochNanoClock;

/**
 * Takes a task's snapshots: the cut on the task thread (pre-barrier hook, barriers out, state frozen, nothing in between),
 * the writing on an I/O thread, the acknowledgement when everything is durable. What was in flight is written behind the
 * frozen state, once the barriers' handler says that nothing more of it comes.
 */
final class SnapshotDriver {
    private final TaskEnvironment environment;
    private final Chain chain;
    private final TaskInput input;
    private final TaskChannels channels;
    private final CheckpointStore checkpoints;
    private final TaskListener listener;
    private final EpochNanoClock clock;

    /** Else the watermark may have come from behind the barriers, up to the end of data, which the senders repeat. */
    private final boolean isExactlyOnce;

    private final List<TaskSnapshot> inFlight = new ArrayList<>();
    private long lastCompletedId;

    SnapshotDriver(
            final TaskEnvironment environment,
            final Chain chain,
            final TaskInput input,
            final TaskChannels channels,
            final TaskSettings settings) {
        this.environment = environment;
        this.chain = chain;
        this.input = input;
        this.channels = channels;
        checkpoints = settings.checkpoints();
        listener = settings.listener();
        clock = settings.clock();
        isExactlyOnce = settings.barriers().mode() == CheckpointingMode.EXACTLY_ONCE;
    }

    /**
     * The cut of a task whose outputs are still open.
     *
     * @return the snapshot, or null if it failed and was declined.
     */
    TaskSnapshot cut(final BarrierAction.Snapshot action) {
        final long beginNs = clock.nanoTime();
        final long checkpointId = action.checkpointId();
        try {
            chain.beforeBarrier(checkpointId);
        } catch (final Exception e) {
            environment.outputs().cancellation(checkpointId);
            decline(checkpointId, Reason.SNAPSHOT_FAILED, e);
            return null;
        }
        final ChannelState channelState = channelState(action);
        environment.outputs().barrier(checkpointId, action.triggerTimeNs(), action.options(), channelState);
        return freeze(action, channelState, false, beginNs);
    }

    /**
     * The cut of a task that has sent its end of data, which stands for its barriers.
     *
     * @return the snapshot, or null if it failed and was declined.
     */
    TaskSnapshot cutBehindOutputs(final BarrierAction.Snapshot action, final boolean finished) {
        return freeze(action, channelState(action), finished, clock.nanoTime());
    }

    /** Where what is in flight goes, or null if the barrier overtakes nothing. */
    private ChannelState channelState(final BarrierAction.Snapshot action) {
        return BarrierOptions.mayOvertake(action.options()) ? new ChannelState(channels) : null;
    }

    private TaskSnapshot freeze(
            final BarrierAction.Snapshot action,
            final ChannelState channelState,
            final boolean finished,
            final long beginNs) {
        final TaskSnapshot snapshot = new TaskSnapshot(
                action.checkpointId(), isExactlyOnce ? input.watermarkNs() : Long.MIN_VALUE, channelState, finished);
        try {
            if (input.isRestoredFinished()) {
                snapshot.listState(environment.restored().all());
            } else {
                input.beforeFreeze();
                chain.snapshot(snapshot);
            }
            snapshot.keyedState(environment.store().freeze(environment.nowNs()));
        } catch (final Exception e) {
            decline(action.checkpointId(), Reason.SNAPSHOT_FAILED, e);
            return null;
        }
        snapshot.cut(beginNs, clock.nanoTime());
        inFlight.add(snapshot);
        final boolean accepted = environment.lane().execute(() -> {
            writeState(snapshot, action.options());
            if (channelState == null) {
                finish(snapshot, action.metrics());
            }
        });
        if (!accepted) {
            snapshot.close();
        }
        return snapshot;
    }

    /** The channel state of a snapshot that is being taken, or null if it was given up. */
    ChannelState channelState(final long checkpointId) {
        final TaskSnapshot snapshot = find(checkpointId);
        return snapshot == null || !snapshot.isChannelStateOpen() ? null : snapshot.channelState();
    }

    /** Nothing is added to the checkpoint's channel state any more. */
    void channelStateClosed(final long checkpointId, final BarrierMetrics metrics) {
        final TaskSnapshot snapshot = find(checkpointId);
        if (snapshot != null && snapshot.isChannelStateOpen()) {
            snapshot.channelStateClosed();
            environment.lane().execute(() -> finish(snapshot, metrics));
        }
    }

    void complete(final long checkpointId) throws Exception {
        inFlight.removeIf(snapshot -> snapshot.checkpointId() <= checkpointId && !snapshot.isChannelStateOpen());
        if (checkpointId > lastCompletedId) {
            lastCompletedId = checkpointId;
            if (!input.isRestoredFinished()) {
                chain.checkpointComplete(checkpointId);
            }
        }
    }

    void abort(final long checkpointId) {
        drop(checkpointId);
        if (!input.isRestoredFinished()) {
            chain.checkpointAborted(checkpointId);
        }
    }

    /** Lets go of a snapshot that will not be acknowledged. */
    void drop(final long checkpointId) {
        final TaskSnapshot snapshot = find(checkpointId);
        if (snapshot != null) {
            inFlight.remove(snapshot);
            snapshot.abort();
            discardIfOpen(snapshot);
        }
    }

    void decline(final long checkpointId, final Reason reason, final Throwable cause) {
        listener.declined(environment.id(), environment.attempt(), checkpointId, new Decline(reason, cause));
    }

    /** Lets go of all snapshots that wait for channel state, before the lane is closed. */
    void close() {
        inFlight.forEach(this::discardIfOpen);
        inFlight.clear();
    }

    private void discardIfOpen(final TaskSnapshot snapshot) {
        if (snapshot.isChannelStateOpen()) {
            snapshot.channelStateClosed();
            environment.lane().execute(snapshot::close);
        }
    }

    private TaskSnapshot find(final long checkpointId) {
        for (int i = 0, size = inFlight.size(); i < size; i++) {
            if (inFlight.get(i).checkpointId() == checkpointId) {
                return inFlight.get(i);
            }
        }
        return null;
    }

    private void writeState(final TaskSnapshot snapshot, final int options) {
        final long checkpointId = snapshot.checkpointId();
        try {
            if (environment.lane().isClosed()) {
                snapshot.close();
                return;
            }
            snapshot.runBeforeAcknowledge();
            if (snapshot.isAborted()) {
                snapshot.close();
                return;
            }
            snapshot.writeState(
                    checkpoints.createSegment(checkpointId, environment.id().segmentName()), options);
        } catch (final Throwable e) { // an Error too: the coordinator must get an answer
            fail(snapshot, e);
        }
    }

    private void finish(final TaskSnapshot snapshot, final BarrierMetrics metrics) {
        if (!snapshot.isWritten()) {
            return;
        }
        final long checkpointId = snapshot.checkpointId();
        try {
            if (environment.lane().isClosed() || snapshot.isAborted()) {
                return;
            }
            final TaskSnapshot.Written written = snapshot.finish();
            final TaskId id = environment.id();
            final TaskPart part = new TaskPart(
                    id.vertexUid(),
                    input.uids(chain),
                    id.subtask(),
                    id.parallelism(),
                    snapshot.isFinished(),
                    written.own(),
                    written.shared());
            listener.acknowledged(
                    id, environment.attempt(), checkpointId, part, snapshot.metrics(metrics, clock.nanoTime()));
        } catch (final Throwable e) { // an Error too: the coordinator must get an answer
            fail(snapshot, e);
        } finally {
            snapshot.close();
        }
    }

    /** The coordinator gets its answer also if what was written can't be taken away. */
    private void fail(final TaskSnapshot snapshot, final Throwable cause) {
        try {
            snapshot.close();
        } catch (final RuntimeException e) {
            cause.addSuppressed(e);
        }
        decline(snapshot.checkpointId(), Reason.SNAPSHOT_FAILED, cause);
    }
}
