package io.weir.engine.simulation;

import io.weir.transport.OutputChannel;
import org.agrona.DirectBuffer;

/** An output that hands everything on to another: what stands in between overrides what it wants to see. */
class ForwardingOutput implements OutputChannel {
    private final OutputChannel channel;

    ForwardingOutput(final OutputChannel channel) {
        this.channel = channel;
    }

    @Override
    public int maxBatchLength() {
        return channel.maxBatchLength();
    }

    @Override
    public int maxRecordLength() {
        return channel.maxRecordLength();
    }

    @Override
    public long offerBatch(final DirectBuffer buffer, final int offset, final int length) {
        return channel.offerBatch(buffer, offset, length);
    }

    @Override
    public long offerFragment(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        return channel.offerFragment(flags, buffer, offset, length);
    }

    @Override
    public long offerWatermark(final long watermarkNs) {
        return channel.offerWatermark(watermarkNs);
    }

    @Override
    public long offerIdle() {
        return channel.offerIdle();
    }

    @Override
    public long offerBarrier(final long checkpointId, final long triggerTimeNs, final int options) {
        return channel.offerBarrier(checkpointId, triggerTimeNs, options);
    }

    @Override
    public long offerCancellation(final long checkpointId) {
        return channel.offerCancellation(checkpointId);
    }

    @Override
    public long offerEndOfData() {
        return channel.offerEndOfData();
    }

    @Override
    public long offerAnnouncement(
            final long checkpointId, final long triggerTimeNs, final int options, final long position) {
        return channel.offerAnnouncement(checkpointId, triggerTimeNs, options, position);
    }

    @Override
    public long position() {
        return channel.position();
    }

    @Override
    public void close() {
        channel.close();
    }
}
