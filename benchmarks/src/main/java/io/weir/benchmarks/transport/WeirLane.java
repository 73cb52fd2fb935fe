package io.weir.benchmarks.transport;

import io.weir.transport.InputGate;
import io.weir.transport.InputHandler;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import io.weir.transport.frame.RecordFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Our channel, with batches that are encoded record by record as a task's outbox does. */
final class WeirLane implements Lane, InputHandler {
    private static final int POLL_LIMIT = 1024;

    private final Transport transport;
    private final int batchSize;
    private final InputGate gate;
    private final OutputChannel output;
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[VALUE_LENGTH]);
    private final UnsafeBuffer batch;
    private int encoded;
    private long timestampNs;
    private long checksum;

    WeirLane(final Transport transport, final int batchSize) {
        this.transport = transport;
        this.batchSize = batchSize;
        final int dataStreamId = transport.nextStreamId();
        final int controlStreamId = transport.nextStreamId();
        gate = transport.openGate(1, "receiver", new int[] {dataStreamId}, controlStreamId);
        output = transport.openOutput(1, "sender", dataStreamId, controlStreamId, 0, transport.bufferLength(1));
        final int recordLength = RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, VALUE_LENGTH);
        batch = new UnsafeBuffer(new byte[batchSize * recordLength]);
    }

    @Override
    public String name() {
        return "channel";
    }

    @Override
    public int batchSize() {
        return batchSize;
    }

    @Override
    public int send() {
        if (encoded == 0) {
            encode();
        }
        if (output.offerBatch(batch, 0, encoded) < 0) {
            return 0;
        }
        encoded = 0;
        return batchSize;
    }

    private void encode() {
        int offset = 0;
        for (int i = 0; i < batchSize; i++) {
            value.putLong(0, ++timestampNs);
            batch.putBytes(offset + RecordFlyweight.HEADER_LENGTH, value, 0, VALUE_LENGTH);
            RecordFlyweight.putHeader(batch, offset, timestampNs, NO_SOURCE_WATERMARK, VALUE_LENGTH);
            offset += RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, VALUE_LENGTH);
        }
        encoded = offset;
    }

    @Override
    public int receive() {
        return gate.poll(this, POLL_LIMIT);
    }

    @Override
    public void pump() {
        transport.pump();
    }

    @Override
    public long checksum() {
        return checksum;
    }

    @Override
    public boolean onRecord(
            final int channelIndex,
            final long timestampNs,
            final long sourceWatermarkNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        checksum += buffer.getLong(offset);
        return true;
    }

    @Override
    public boolean onWatermark(final int channelIndex, final long watermarkNs) {
        return true;
    }

    @Override
    public boolean onIdle(final int channelIndex) {
        return true;
    }

    @Override
    public boolean onBarrier(
            final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        return true;
    }

    @Override
    public boolean onCancellation(final int channelIndex, final long checkpointId) {
        return true;
    }

    @Override
    public boolean onEndOfData(final int channelIndex) {
        return true;
    }

    @Override
    public void close() {
        output.close();
        gate.close();
    }
}
