package io.weir.engine.simulation;

import io.weir.transport.InputGate;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import org.agrona.DirectBuffer;

/** Counts the offers of batches that found no room, so that a run is known to have blocked. */
final class WatchedTransport implements Transport {
    private final Transport transport;
    private long blockedOffers;

    WatchedTransport(final Transport transport) {
        this.transport = transport;
    }

    long blockedOffers() {
        return blockedOffers;
    }

    @Override
    public int nextStreamId() {
        return transport.nextStreamId();
    }

    @Override
    public int bufferLength(final long channelCount) {
        return transport.bufferLength(channelCount);
    }

    @Override
    public InputGate openGate(
            final int attempt, final String name, final int[] dataStreamIds, final int controlStreamId) {
        return transport.openGate(attempt, name, dataStreamIds, controlStreamId);
    }

    @Override
    public OutputChannel openOutput(
            final int attempt,
            final String name,
            final int dataStreamId,
            final int controlStreamId,
            final int channelIndex,
            final int bufferLength) {
        return new Watched(
                transport.openOutput(attempt, name, dataStreamId, controlStreamId, channelIndex, bufferLength));
    }

    @Override
    public int pump() {
        return transport.pump();
    }

    @Override
    public void close() {
        transport.close();
    }

    private final class Watched extends ForwardingOutput {
        Watched(final OutputChannel channel) {
            super(channel);
        }

        @Override
        public long offerBatch(final DirectBuffer buffer, final int offset, final int length) {
            final long result = super.offerBatch(buffer, offset, length);
            if (result == BACK_PRESSURED) {
                blockedOffers++;
            }
            return result;
        }
    }
}
