package io.weir.transport.memory;

import io.weir.transport.OutputChannel;
import io.weir.transport.channel.OfferGuard;
import io.weir.transport.frame.AnnouncementFlyweight;
import io.weir.transport.frame.BarrierFlyweight;
import io.weir.transport.frame.CancellationFlyweight;
import io.weir.transport.frame.DataFlyweight;
import io.weir.transport.frame.EndOfDataFlyweight;
import io.weir.transport.frame.FrameStamp;
import io.weir.transport.frame.IdleFlyweight;
import io.weir.transport.frame.WatermarkFlyweight;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A channel over two links in memory. */
final class MemoryOutputChannel implements OutputChannel {
    private final OfferGuard guard;
    private final MemoryEnd data;
    private final MemoryEnd control;
    private final FrameStamp dataStamp;
    private final FrameStamp controlStamp;
    private final Consumer<MemoryOutputChannel> onClose;
    private boolean isClosed;
    private long position;

    MemoryOutputChannel(
            final OfferGuard guard,
            final MemoryEnd data,
            final MemoryEnd control,
            final FrameStamp dataStamp,
            final FrameStamp controlStamp,
            final Consumer<MemoryOutputChannel> onClose) {
        this.guard = guard;
        this.data = data;
        this.control = control;
        this.dataStamp = dataStamp;
        this.controlStamp = controlStamp;
        this.onClose = onClose;
    }

    @Override
    public int maxBatchLength() {
        return guard.maxBatchLength();
    }

    @Override
    public int maxRecordLength() {
        return guard.maxRecordLength();
    }

    @Override
    public long offerBatch(final DirectBuffer buffer, final int offset, final int length) {
        guard.checkBatch(length);
        return offerData(DataFlyweight.WHOLE, buffer, offset, length);
    }

    @Override
    public long offerFragment(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        guard.checkFragment(flags, buffer, offset, length);
        final long result = offerData(flags, buffer, offset, length);
        if (result > 0) {
            guard.onFragmentSent(flags, length);
        }
        return result;
    }

    private long offerData(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        final long result = data.claim(DataFlyweight.BODY_OFFSET + length);
        if (result > 0) {
            DataFlyweight.put(data.buffer(), data.offset(), dataStamp, flags, buffer, offset, length);
            position = result;
        }
        return result;
    }

    @Override
    public long offerWatermark(final long watermarkNs) {
        final long result = claimEvent(WatermarkFlyweight.LENGTH);
        if (result > 0) {
            WatermarkFlyweight.put(data.buffer(), data.offset(), dataStamp, watermarkNs);
        }
        return result;
    }

    @Override
    public long offerIdle() {
        final long result = claimEvent(IdleFlyweight.LENGTH);
        if (result > 0) {
            IdleFlyweight.put(data.buffer(), data.offset(), dataStamp);
        }
        return result;
    }

    @Override
    public long offerBarrier(final long checkpointId, final long triggerTimeNs, final int options) {
        final long result = claimEvent(BarrierFlyweight.LENGTH);
        if (result > 0) {
            BarrierFlyweight.put(data.buffer(), data.offset(), dataStamp, checkpointId, triggerTimeNs, options);
        }
        return result;
    }

    @Override
    public long offerCancellation(final long checkpointId) {
        final long result = claimEvent(CancellationFlyweight.LENGTH);
        if (result > 0) {
            CancellationFlyweight.put(data.buffer(), data.offset(), dataStamp, checkpointId);
        }
        return result;
    }

    @Override
    public long offerEndOfData() {
        final long result = claimEvent(EndOfDataFlyweight.LENGTH);
        if (result > 0) {
            EndOfDataFlyweight.put(data.buffer(), data.offset(), dataStamp);
        }
        return result;
    }

    private long claimEvent(final int length) {
        guard.checkNoOpenRecord();
        final long result = data.claim(length);
        if (result > 0) {
            position = result;
        }
        return result;
    }

    @Override
    public long offerAnnouncement(
            final long checkpointId, final long triggerTimeNs, final int options, final long position) {
        final long result = control.claim(AnnouncementFlyweight.LENGTH);
        if (result > 0) {
            final UnsafeBuffer buffer = control.buffer();
            AnnouncementFlyweight.put(
                    buffer, control.offset(), controlStamp, checkpointId, triggerTimeNs, options, position);
        }
        return result;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            data.link().sever();
            control.link().sever();
            onClose.accept(this);
        }
    }
}
