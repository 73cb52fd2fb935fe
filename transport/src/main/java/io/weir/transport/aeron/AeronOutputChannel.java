package io.weir.transport.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import io.weir.transport.OutputChannel;
import io.weir.transport.TransportException;
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
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * A channel over two exclusive publications. Every frame is claimed in the log buffer and written in place, so it is one
 * Aeron fragment always. Upstream task's thread only.
 */
final class AeronOutputChannel implements OutputChannel {
    private final OfferGuard guard;
    private final ExclusivePublication data;
    private final ExclusivePublication control;
    private final Consumer<OutputChannel> onClose;
    private final FrameStamp dataStamp;
    private final FrameStamp controlStamp;
    private final BufferClaim claim = new BufferClaim();
    private boolean wasDataConnected;
    private boolean wasControlConnected;
    private boolean isClosed;
    private long position;

    AeronOutputChannel(
            final OfferGuard guard,
            final ExclusivePublication data,
            final ExclusivePublication control,
            final FrameStamp dataStamp,
            final FrameStamp controlStamp,
            final Consumer<OutputChannel> onClose) {
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
        final long result = claim(DataFlyweight.BODY_OFFSET + length);
        if (result > 0) {
            DataFlyweight.put(claim.buffer(), claim.offset(), dataStamp, flags, buffer, offset, length);
            commit(result);
        }
        return result;
    }

    @Override
    public long offerWatermark(final long watermarkNs) {
        guard.checkNoOpenRecord();
        final long result = claim(WatermarkFlyweight.LENGTH);
        if (result > 0) {
            WatermarkFlyweight.put(claim.buffer(), claim.offset(), dataStamp, watermarkNs);
            commit(result);
        }
        return result;
    }

    @Override
    public long offerIdle() {
        guard.checkNoOpenRecord();
        final long result = claim(IdleFlyweight.LENGTH);
        if (result > 0) {
            IdleFlyweight.put(claim.buffer(), claim.offset(), dataStamp);
            commit(result);
        }
        return result;
    }

    @Override
    public long offerBarrier(final long checkpointId, final long triggerTimeNs, final int options) {
        guard.checkNoOpenRecord();
        final long result = claim(BarrierFlyweight.LENGTH);
        if (result > 0) {
            BarrierFlyweight.put(claim.buffer(), claim.offset(), dataStamp, checkpointId, triggerTimeNs, options);
            commit(result);
        }
        return result;
    }

    @Override
    public long offerCancellation(final long checkpointId) {
        guard.checkNoOpenRecord();
        final long result = claim(CancellationFlyweight.LENGTH);
        if (result > 0) {
            CancellationFlyweight.put(claim.buffer(), claim.offset(), dataStamp, checkpointId);
            commit(result);
        }
        return result;
    }

    @Override
    public long offerEndOfData() {
        guard.checkNoOpenRecord();
        final long result = claim(EndOfDataFlyweight.LENGTH);
        if (result > 0) {
            EndOfDataFlyweight.put(claim.buffer(), claim.offset(), dataStamp);
            commit(result);
        }
        return result;
    }

    @Override
    public long offerAnnouncement(
            final long checkpointId, final long triggerTimeNs, final int options, final long position) {
        long result = control.tryClaim(AnnouncementFlyweight.LENGTH, claim);
        if (result == Publication.ADMIN_ACTION) {
            result = control.tryClaim(AnnouncementFlyweight.LENGTH, claim);
        }
        if (result > 0) {
            wasControlConnected = true;
            AnnouncementFlyweight.put(
                    claim.buffer(), claim.offset(), controlStamp, checkpointId, triggerTimeNs, options, position);
            claim.commit();
            return result;
        }
        wasControlConnected |= result != Publication.NOT_CONNECTED;
        return refusal(result, control, wasControlConnected);
    }

    private void commit(final long result) {
        claim.commit();
        position = result;
    }

    private long claim(final int length) {
        final long result = data.tryClaim(length, claim);
        return result > 0 ? result : claimSlowPath(length, result);
    }

    private long claimSlowPath(final int length, final long firstResult) {
        // An admin action is the turn to the next term; the term behind it has room or is back-pressured.
        final long result = firstResult == Publication.ADMIN_ACTION ? data.tryClaim(length, claim) : firstResult;
        wasDataConnected |= position > 0 || result > 0 || result == Publication.BACK_PRESSURED;
        return result > 0 ? result : refusal(result, data, wasDataConnected);
    }

    private long refusal(final long result, final ExclusivePublication publication, final boolean wasConnected) {
        if (result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION) {
            return BACK_PRESSURED;
        }
        if (result == Publication.NOT_CONNECTED) {
            return wasConnected ? CLOSED : BACK_PRESSURED;
        }
        if (result == Publication.MAX_POSITION_EXCEEDED) {
            throw new TransportException(guard.name() + " at position " + publication.position()
                    + ": expected room, found the end of the stream; longer terms hold longer streams, these are of "
                    + publication.termBufferLength() + " bytes");
        }
        return CLOSED;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            try {
                CloseHelper.closeAll(control, data);
            } finally {
                onClose.accept(this);
            }
        }
    }
}
