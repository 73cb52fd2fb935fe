package io.weir.transport.channel;

import io.weir.transport.CaptureHandler;
import io.weir.transport.TransportException;
import io.weir.transport.frame.BarrierFlyweight;
import io.weir.transport.frame.CancellationFlyweight;
import io.weir.transport.frame.DataFlyweight;
import io.weir.transport.frame.FrameFlyweight;
import org.agrona.DirectBuffer;

/**
 * Reads ahead of one channel's cursor and hands out the records that were not delivered when it began: the rest of a batch, what
 * has come of a record in parts, and all that follows. Task thread only.
 */
final class ChannelCapture {
    private final ChannelLabel label;
    private final int channelIndex;
    private final int attempt;
    private final FrameSource ahead;
    private final RecordAssembler assembler;
    private int delivered;
    private long position;

    /**
     * A capture that begins at a reader's cursor.
     *
     * @param source of the reader.
     * @param delivered bytes of the frame at the cursor that were delivered, its header included, 0 if none of it was.
     * @param assembler of the reader, with the parts of a record that were read.
     */
    ChannelCapture(
            final ChannelLabel label,
            final int channelIndex,
            final int attempt,
            final int maxRecordLength,
            final FrameSource source,
            final int delivered,
            final RecordAssembler assembler) {
        this.label = label;
        this.channelIndex = channelIndex;
        this.attempt = attempt;
        this.delivered = delivered;
        ahead = source.ahead();
        position = ahead.position();
        this.assembler = new RecordAssembler(maxRecordLength);
        this.assembler.copyOf(assembler);
    }

    /** Behind the last frame that was captured, and behind what the log skips there if that reaches to the slice's end. */
    long position() {
        return position;
    }

    long read(final long endPosition, final CaptureHandler handler) {
        for (int length; ahead.position() < endPosition && (length = ahead.peek()) > 0; ) {
            if (ahead.position() >= endPosition || !readFrame(ahead.buffer(), ahead.offset(), length, handler)) {
                break;
            }
            delivered = 0;
            ahead.consume();
            position = ahead.position();
        }
        if (ahead.position() >= endPosition) {
            // No frame begins in the rest of the slice: without this step the next one would begin here again, for
            // ever.
            position = Math.max(position, ahead.position());
        }
        return position;
    }

    private boolean readFrame(
            final DirectBuffer buffer, final int offset, final int length, final CaptureHandler handler) {
        final String fault = FrameFlyweight.fault(buffer, offset, length);
        if (fault != null) {
            throw fault(fault);
        }
        if (FrameFlyweight.attempt(buffer, offset) != attempt) {
            return true;
        }
        return switch (FrameFlyweight.type(buffer, offset)) {
            case FrameFlyweight.DATA -> {
                readData(buffer, offset, handler);
                yield true;
            }
            case FrameFlyweight.BARRIER ->
                handler.onBarrierAhead(channelIndex, BarrierFlyweight.checkpointId(buffer, offset));
            case FrameFlyweight.CANCELLATION ->
                handler.onCancellationAhead(channelIndex, CancellationFlyweight.checkpointId(buffer, offset));
            case FrameFlyweight.END_OF_DATA -> {
                handler.onEndOfDataAhead(channelIndex);
                yield false;
            }
            default -> true;
        };
    }

    private void readData(final DirectBuffer buffer, final int offset, final CaptureHandler handler) {
        final int flags = FrameFlyweight.flags(buffer, offset);
        final int bodyLength = FrameFlyweight.bodyLength(buffer, offset);
        if (flags == DataFlyweight.WHOLE && !assembler.isOpen()) {
            final int skipped = delivered == 0 ? 0 : delivered - DataFlyweight.BODY_OFFSET;
            if (skipped < bodyLength) {
                handler.onCapturedRecords(
                        channelIndex, buffer, offset + DataFlyweight.BODY_OFFSET + skipped, bodyLength - skipped);
            }
            return;
        }
        final String fault = assembler.append(flags, buffer, offset + DataFlyweight.BODY_OFFSET, bodyLength);
        if (fault != null) {
            throw fault(fault);
        }
        if ((flags & DataFlyweight.END) != 0) {
            handler.onCapturedRecords(channelIndex, assembler.buffer(), 0, assembler.length());
            assembler.clear();
        }
    }

    private TransportException fault(final String fault) {
        return label.fault(ahead.position(), fault);
    }
}
