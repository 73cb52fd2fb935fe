package io.weir.engine.simulation;

import io.weir.transport.InputHandler;
import org.agrona.DirectBuffer;

/** A handler that hands everything on to another, which may be another one at each poll. */
class ForwardingHandler implements InputHandler {
    private InputHandler handler;

    ForwardingHandler to(final InputHandler next) {
        handler = next;
        return this;
    }

    @Override
    public boolean onRecord(
            final int channelIndex,
            final long timestampNs,
            final long sourceWatermarkNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        return handler.onRecord(channelIndex, timestampNs, sourceWatermarkNs, buffer, offset, length);
    }

    @Override
    public boolean onWatermark(final int channelIndex, final long watermarkNs) {
        return handler.onWatermark(channelIndex, watermarkNs);
    }

    @Override
    public boolean onIdle(final int channelIndex) {
        return handler.onIdle(channelIndex);
    }

    @Override
    public boolean onBarrier(
            final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        return handler.onBarrier(channelIndex, checkpointId, triggerTimeNs, options);
    }

    @Override
    public boolean onCancellation(final int channelIndex, final long checkpointId) {
        return handler.onCancellation(channelIndex, checkpointId);
    }

    @Override
    public boolean onEndOfData(final int channelIndex) {
        return handler.onEndOfData(channelIndex);
    }
}
