package io.weir.engine.task;

import io.weir.engine.barrier.AbortReason;
import io.weir.engine.barrier.BarrierAction;
import io.weir.engine.barrier.BarrierHandler;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.engine.task.TaskListener.Decline.Reason;
import io.weir.transport.InputGate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongFunction;

/** Tells the barrier handler what comes, carries out what it decides, and answers it. Task thread only. */
final class TaskBarriers {
    private final BarrierHandler handler;
    private final InputGate gate;
    private final TaskEnvironment environment;
    private final long maxChannelStateBytes;
    private final InputCaptures captures;
    private final ArrayDeque<LongFunction<List<BarrierAction>>> answers = new ArrayDeque<>();
    private SnapshotDriver snapshots;
    private Task task;
    private long processedBytes;

    /**
     * The barriers of a task.
     *
     * @param handler that decides.
     * @param gate null for a source.
     * @param maxChannelStateBytes that the handler allows.
     */
    TaskBarriers(
            final BarrierHandler handler,
            final InputGate gate,
            final TaskEnvironment environment,
            final long maxChannelStateBytes) {
        this.handler = handler;
        this.maxChannelStateBytes = maxChannelStateBytes;
        this.gate = gate;
        this.environment = environment;
        captures = gate == null ? null : new InputCaptures(handler, gate);
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
            final long position) {
        tellProcessed();
        carryOut(handler.onAnnouncement(
                channelIndex, checkpointId, triggerTimeNs, options, position, environment.nowNs()));
    }

    void onBarrier(final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        tellProcessed();
        carryOut(handler.onBarrier(channelIndex, checkpointId, triggerTimeNs, options, environment.nowNs()));
        stopCaptureIfDone(channelIndex);
    }

    void onCancellation(final int channelIndex, final long checkpointId) {
        carryOut(handler.onCancellation(channelIndex, checkpointId, environment.nowNs()));
        stopCaptureIfDone(channelIndex);
    }

    void onEndOfData(final int channelIndex) {
        tellProcessed();
        carryOut(handler.onEndOfData(channelIndex, environment.nowNs()));
        stopCaptureIfDone(channelIndex);
    }

    void onTrigger(final long checkpointId, final long triggerTimeNs, final int options) {
        carryOut(handler.onTrigger(checkpointId, triggerTimeNs, options, environment.nowNs()));
    }

    void onAbort(final long checkpointId) {
        carryOut(handler.onAbort(checkpointId));
        snapshots.abort(checkpointId);
        task.resume(checkpointId);
    }

    /** Restored channel state is processed first: no cut is made ahead of a barrier until it was. */
    void onChannelStateRestoring() {
        carryOut(handler.onChannelStateRestoring());
    }

    /** All restored channel state was processed. */
    void onChannelStateRestored() {
        carryOut(handler.onChannelStateRestored(environment.nowNs()));
    }

    /** The end of data has gone to every output. */
    void onOutputsEnded() {
        handler.onOutputsEnded();
    }

    /** A record was processed. */
    void processed(final int length) {
        processedBytes += length;
    }

    /** What is to be done between records: barriers that have left, timeouts, slices of captures. Returns the work done. */
    int doWork(final long nowNs) {
        int work = 0;
        for (SentBarriers.Sent sent;
                (sent = environment.outputs().sentBarriers().poll()) != null;
                work++) {
            carryOut(handler.onBarrierSent(sent.outputIndex(), sent.checkpointId(), nowNs));
        }
        if (nowNs >= handler.deadlineNs()) {
            tellProcessed();
            carryOut(handler.onTime(nowNs));
            work++;
        }
        if (captures != null && captures.isActive()) {
            work += capture();
        }
        return work;
    }

    private int capture() {
        int slices = 0;
        for (int channel = captures.nextOpen(0); channel >= 0; channel = captures.nextOpen(channel + 1)) {
            while (slices < InputCaptures.MAX_SLICES && captures.isOpen(channel) && capture(channel)) {
                slices++;
            }
        }
        return slices;
    }

    /**
     * Takes the slice of one channel as far as it has arrived; returns whether anything came of it. A copy takes its time, so that
     * the clock is looked at behind it.
     */
    private boolean capture(final int channel) {
        final ChannelState channelState = snapshots.channelState(captures.checkpointId(channel));
        final boolean isFurther = captures.capture(channel, channelState);
        final long nowNs = environment.clock().nanoTime();
        if (isFurther) {
            carryOut(captures.tellCaptured(channel, nowNs));
        }
        final boolean hasMet = captures.hasMet(channel);
        if (hasMet) {
            carryOut(captures.tellMet(channel, nowNs));
        }
        stopCaptureIfDone(channel);
        return isFurther || hasMet;
    }

    private void stopCaptureIfDone(final int channelIndex) {
        if (captures != null) {
            captures.stopIfDone(channelIndex);
        }
    }

    private void tellProcessed() {
        handler.onProcessed(processedBytes);
        processedBytes = 0;
    }

    /** All actions of an event come first, then the answers, each with the actions that it brings. */
    private void carryOut(final List<BarrierAction> actions) {
        for (int i = 0, size = actions.size(); i < size; i++) {
            carryOut(actions.get(i));
        }
        for (LongFunction<List<BarrierAction>> answer; (answer = answers.poll()) != null; ) {
            carryOut(answer.apply(environment.clock().nanoTime()));
        }
    }

    private void carryOut(final BarrierAction action) {
        if (action instanceof BarrierAction.Block block) {
            gate.block(block.channelIndex());
        } else if (action instanceof BarrierAction.Unblock unblock) {
            gate.unblock(unblock.channelIndex());
        } else if (action instanceof BarrierAction.Snapshot snapshot) {
            cut(snapshot);
        } else if (action instanceof BarrierAction.Capture capture) {
            captures.order(capture);
        } else if (action instanceof BarrierAction.StopCapture stop) {
            captures.stop(stop.channelIndex());
        } else if (action instanceof BarrierAction.Overtake overtake) {
            overtake(overtake);
        } else if (action instanceof BarrierAction.ChannelStateClosed closed) {
            snapshots.channelStateClosed(closed.checkpointId(), closed.metrics());
        } else if (action instanceof BarrierAction.Abort abort) {
            snapshots.drop(abort.checkpointId());
            if (abort.reason() != AbortReason.COORDINATOR) {
                snapshots.decline(abort.checkpointId(), reason(abort.reason()), cause(abort.reason()));
            }
        } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
            if (!task.hasSentEndOfData()) {
                environment.outputs().cancellation(cancellation.checkpointId());
            }
        } else {
            throw new IllegalStateException("unknown barrier action " + action);
        }
    }

    private void cut(final BarrierAction.Snapshot action) {
        final TaskSnapshot snapshot =
                task.hasSentEndOfData() ? snapshots.cutBehindOutputs(action, task.isFinished()) : snapshots.cut(action);
        if (snapshot != null && BarrierOptions.isLast(action.options()) && !task.hasSentEndOfData()) {
            task.suspend(action.checkpointId());
        }
        if (!BarrierOptions.mayOvertake(action.options())) {
            return;
        }
        final long checkpointId = action.checkpointId();
        if (snapshot == null) {
            answers.add(nowNs -> handler.onSnapshotFailed(checkpointId, nowNs));
        } else {
            final long outputBytes = snapshot.channelState().takeOutputBytes();
            answers.add(nowNs -> handler.onSnapshotTaken(
                    checkpointId, channelIndex -> gate.cursor(channelIndex), outputBytes, nowNs));
        }
    }

    private void overtake(final BarrierAction.Overtake action) {
        final long checkpointId = action.checkpointId();
        final ChannelState channelState = snapshots.channelState(checkpointId);
        if (channelState != null
                && environment
                        .outputs()
                        .outbox(action.outputIndex())
                        .overtake(checkpointId, action.triggerTimeNs(), action.options(), channelState)) {
            final long bytes = channelState.takeOutputBytes();
            answers.add(nowNs -> handler.onOvertaken(action.outputIndex(), checkpointId, bytes, nowNs));
        }
    }

    private TaskException cause(final AbortReason reason) {
        return reason == AbortReason.CHANNEL_STATE_LIMIT
                ? new TaskException(
                        "more was in flight than maxChannelState=" + maxChannelStateBytes + " bytes allow", null)
                : null;
    }

    private static Reason reason(final AbortReason reason) {
        return switch (reason) {
            case CANCELLATION -> Reason.CANCELLED_UPSTREAM;
            case CHANNEL_STATE_LIMIT -> Reason.CHANNEL_STATE_LIMIT;
            case SUBSUMED, COORDINATOR -> Reason.SUBSUMED;
        };
    }
}
