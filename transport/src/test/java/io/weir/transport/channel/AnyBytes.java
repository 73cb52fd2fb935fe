package io.weir.transport.channel;

import io.weir.transport.ControlHandler;
import io.weir.transport.RecordsOnly;
import org.agrona.DirectBuffer;

/** Takes whatever comes, and touches the first and the last byte of each value. */
final class AnyBytes implements RecordsOnly, ControlHandler {
    private long sum;

    long sum() {
        return sum;
    }

    @Override
    public boolean onRecord(
            final int channelIndex,
            final long timestampNs,
            final long sourceWatermarkNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        if (length > 0) {
            sum += buffer.getByte(offset) + buffer.getByte(offset + length - 1);
        }
        return true;
    }

    @Override
    public void onAnnouncement(
            final int channelIndex,
            final long checkpointId,
            final long triggerTimeNs,
            final int options,
            final long position) {
        sum += position;
    }
}
