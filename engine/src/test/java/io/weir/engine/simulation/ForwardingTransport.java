package io.weir.engine.simulation;

import io.weir.transport.InputGate;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import java.util.function.UnaryOperator;

/** A transport with something in front of its gates and channels. */
record ForwardingTransport(Transport transport, UnaryOperator<InputGate> gates, UnaryOperator<OutputChannel> outputs)
        implements Transport {
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
        return gates.apply(transport.openGate(attempt, name, dataStreamIds, controlStreamId));
    }

    @Override
    public OutputChannel openOutput(
            final int attempt,
            final String name,
            final int dataStreamId,
            final int controlStreamId,
            final int channelIndex,
            final int bufferLength) {
        return outputs.apply(
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
}
