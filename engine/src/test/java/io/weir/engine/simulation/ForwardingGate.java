package io.weir.engine.simulation;

import io.weir.transport.CaptureHandler;
import io.weir.transport.ControlHandler;
import io.weir.transport.InputGate;
import io.weir.transport.InputHandler;

/** A gate that hands everything on to another: what stands in between overrides what it wants to see. */
class ForwardingGate implements InputGate {
    private final InputGate gate;

    ForwardingGate(final InputGate gate) {
        this.gate = gate;
    }

    @Override
    public int channelCount() {
        return gate.channelCount();
    }

    @Override
    public int pollControl(final ControlHandler handler) {
        return gate.pollControl(handler);
    }

    @Override
    public int poll(final InputHandler handler, final int limit) {
        return gate.poll(handler, limit);
    }

    @Override
    public void block(final int channelIndex) {
        gate.block(channelIndex);
    }

    @Override
    public void unblock(final int channelIndex) {
        gate.unblock(channelIndex);
    }

    @Override
    public long position(final int channelIndex) {
        return gate.position(channelIndex);
    }

    @Override
    public long cursor(final int channelIndex) {
        return gate.cursor(channelIndex);
    }

    @Override
    public void startCapture(final int channelIndex) {
        gate.startCapture(channelIndex);
    }

    @Override
    public long capture(final int channelIndex, final long endPosition, final CaptureHandler handler) {
        return gate.capture(channelIndex, endPosition, handler);
    }

    @Override
    public void stopCapture(final int channelIndex) {
        gate.stopCapture(channelIndex);
    }

    @Override
    public long droppedFrames() {
        return gate.droppedFrames();
    }

    @Override
    public void close() {
        gate.close();
    }
}
