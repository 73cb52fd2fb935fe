package io.weir.engine.task;

import io.weir.engine.barrier.BarrierAction;
import io.weir.engine.barrier.BarrierHandler;
import io.weir.transport.CaptureHandler;
import io.weir.transport.InputGate;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The slices of input channel state that the barrier handler has ordered, at most one per channel: takes copies ahead of the
 * cursor, and tells the handler how far it came and what it met. Task thread only.
 */
final class InputCaptures implements CaptureHandler {
    /** Slices that are taken in one duty cycle. */
    static final int MAX_SLICES = 16;

    private final BarrierHandler handler;
    private final InputGate gate;
    private final BarrierAction.Capture[] ordered;
    private final long[] running;
    private final BitSet open = new BitSet();
    private ChannelState channelState;
    private BarrierAction.Capture current;
    private long position;
    private long bytes;
    private Met met = Met.NOTHING;
    private long metCheckpointId;

    InputCaptures(final BarrierHandler handler, final InputGate gate) {
        this.handler = handler;
        this.gate = gate;
        ordered = new BarrierAction.Capture[gate.channelCount()];
        running = new long[gate.channelCount()];
        Arrays.fill(running, BarrierHandler.NO_CHECKPOINT);
    }

    boolean isActive() {
        return !open.isEmpty();
    }

    void order(final BarrierAction.Capture slice) {
        final int channel = slice.channelIndex();
        if (running[channel] != slice.checkpointId()) {
            gate.startCapture(channel);
            running[channel] = slice.checkpointId();
        }
        ordered[channel] = slice;
        open.set(channel);
    }

    /** Captures no more on a channel. Idempotent. */
    void stop(final int channelIndex) {
        if (running[channelIndex] != BarrierHandler.NO_CHECKPOINT) {
            gate.stopCapture(channelIndex);
            running[channelIndex] = BarrierHandler.NO_CHECKPOINT;
        }
        open.clear(channelIndex);
    }

    /** Captures no more on a channel that the handler awaits nothing of. */
    void stopIfDone(final int channelIndex) {
        if (handler.readLimit(channelIndex) == Long.MAX_VALUE) {
            stop(channelIndex);
        }
    }

    boolean isOpen(final int channelIndex) {
        return open.get(channelIndex);
    }

    /** The next channel that a slice is ordered of, or -1. */
    int nextOpen(final int from) {
        return open.nextSetBit(from);
    }

    long checkpointId(final int channelIndex) {
        return ordered[channelIndex].checkpointId();
    }

    /**
     * Takes the slice of a channel as far as it has arrived.
     *
     * @param state that the copies go to.
     * @return whether it came further, which is to be told before what was met.
     */
    boolean capture(final int channelIndex, final ChannelState state) {
        channelState = state;
        current = ordered[channelIndex];
        met = Met.NOTHING;
        bytes = 0;
        position = gate.capture(channelIndex, current.endPosition(), this);
        return position > current.beginPosition();
    }

    List<BarrierAction> tellCaptured(final int channelIndex, final long nowNs) {
        final long checkpointId = current.checkpointId();
        ordered[channelIndex] = new BarrierAction.Capture(channelIndex, checkpointId, position, current.endPosition());
        return handler.onCaptured(channelIndex, checkpointId, position, bytes, nowNs);
    }

    /**
     * Whether the slice met something that is to be told. Not if what was captured made another checkpoint take the channel over: its
     * own slices meet it again, behind the records that they have to take first.
     */
    boolean hasMet(final int channelIndex) {
        return met != Met.NOTHING && checkpointId(channelIndex) == current.checkpointId();
    }

    List<BarrierAction> tellMet(final int channelIndex, final long nowNs) {
        return switch (met) {
            case NOTHING -> List.of();
            case BARRIER -> handler.onBarrierAhead(channelIndex, metCheckpointId, nowNs);
            case CANCELLATION -> handler.onCancellationAhead(channelIndex, metCheckpointId, nowNs);
            case END_OF_DATA -> handler.onEndOfDataAhead(channelIndex, nowNs);
        };
    }

    @Override
    public void onCapturedRecords(
            final int channelIndex, final DirectBuffer buffer, final int offset, final int length) {
        bytes += length;
        channelState.addInput(channelIndex, buffer, offset, length);
    }

    @Override
    public boolean onBarrierAhead(final int channelIndex, final long checkpointId) {
        return goesOn(Met.BARRIER, checkpointId);
    }

    @Override
    public boolean onCancellationAhead(final int channelIndex, final long checkpointId) {
        return goesOn(Met.CANCELLATION, checkpointId);
    }

    @Override
    public void onEndOfDataAhead(final int channelIndex) {
        met = Met.END_OF_DATA;
    }

    /** What belongs to an older checkpoint means nothing any more. */
    private boolean goesOn(final Met what, final long checkpointId) {
        if (checkpointId < current.checkpointId()) {
            return true;
        }
        met = what;
        metCheckpointId = checkpointId;
        return false;
    }

    private enum Met {
        NOTHING,
        BARRIER,
        CANCELLATION,
        END_OF_DATA
    }
}
