package io.weir.engine.task;

import io.weir.engine.barrier.AbortReason;
import io.weir.engine.barrier.BarrierAction;
import io.weir.engine.barrier.BarrierChannels;
import io.weir.engine.barrier.BarrierHandler;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.task.TaskListener.Decline.Reason;
import io.weir.transport.InputGate;
import java.util.List;

/** Carries out what the barrier handler decides. Task thread only. */
final class TaskBarriers {
    private final BarrierHandler handler;
    private final InputGate gate;
    private final TaskOutputs outputs;
    private SnapshotDriver snapshots;
    private Task task;

    /**
     * The barriers of a task.
     *
     * @param gate null for a source.
     * @param runningChannels 0 also for a task that was restored as finished: it reads nothing.
     */
    TaskBarriers(final InputGate gate, final int runningChannels, final TaskOutputs outputs) {
        handler = BarrierSettings.aligned().handler(BarrierChannels.of(runningChannels, 0));
        this.gate = gate;
        this.outputs = outputs;
    }

    void wire(final Task owner, final SnapshotDriver driver) {
        task = owner;
        snapshots = driver;
    }

    void onAnnouncement(
            final int channelIndex,
            final long checkpointId,
            final long triggerTimeNs,
            final int options,
            final long position,
            final long nowNs) {
        carryOut(handler.onAnnouncement(channelIndex, checkpointId, triggerTimeNs, options, position, nowNs));
    }

    void onBarrier(
            final int channelIndex,
            final long checkpointId,
            final long triggerTimeNs,
            final int options,
            final long nowNs) {
        carryOut(handler.onBarrier(channelIndex, checkpointId, triggerTimeNs, options, nowNs));
    }

    void onCancellation(final int channelIndex, final long checkpointId, final long nowNs) {
        carryOut(handler.onCancellation(channelIndex, checkpointId, nowNs));
    }

    void onEndOfData(final int channelIndex, final long nowNs) {
        carryOut(handler.onEndOfData(channelIndex, nowNs));
    }

    void onTrigger(final long checkpointId, final long triggerTimeNs, final int options, final long nowNs) {
        carryOut(handler.onTrigger(checkpointId, triggerTimeNs, options, nowNs));
    }

    void onAbort(final long checkpointId) {
        carryOut(handler.onAbort(checkpointId));
        snapshots.abort(checkpointId);
    }

    private void carryOut(final List<BarrierAction> actions) {
        for (int i = 0, size = actions.size(); i < size; i++) {
            carryOut(actions.get(i));
        }
    }

    private void carryOut(final BarrierAction action) {
        if (action instanceof BarrierAction.Block block) {
            gate.block(block.channelIndex());
        } else if (action instanceof BarrierAction.Unblock unblock) {
            gate.unblock(unblock.channelIndex());
        } else if (action instanceof BarrierAction.Snapshot snapshot) {
            cut(snapshot);
        } else if (action instanceof BarrierAction.Abort abort) {
            if (abort.reason() != AbortReason.COORDINATOR) {
                snapshots.decline(abort.checkpointId(), reason(abort.reason()), null);
            }
        } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
            if (!task.hasSentEndOfData()) {
                outputs.cancellation(cancellation.checkpointId());
            }
        } else {
            throw new IllegalStateException("unknown barrier action " + action);
        }
    }

    private void cut(final BarrierAction.Snapshot snapshot) {
        if (task.hasSentEndOfData()) {
            snapshots.cutBehindOutputs(snapshot.checkpointId(), task.isFinished());
        } else {
            snapshots.cut(snapshot.checkpointId(), snapshot.triggerTimeNs(), snapshot.options());
        }
    }

    private static Reason reason(final AbortReason reason) {
        return reason == AbortReason.CANCELLATION ? Reason.CANCELLED_UPSTREAM : Reason.SUBSUMED;
    }
}
