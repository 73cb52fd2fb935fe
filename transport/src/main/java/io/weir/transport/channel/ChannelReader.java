package io.weir.transport.channel;

import io.weir.transport.CaptureHandler;
import io.weir.transport.InputHandler;
import io.weir.transport.TransportException;
import io.weir.transport.frame.BarrierFlyweight;
import io.weir.transport.frame.CancellationFlyweight;
import io.weir.transport.frame.DataFlyweight;
import io.weir.transport.frame.FrameFlyweight;
import io.weir.transport.frame.RecordFlyweight;
import io.weir.transport.frame.WatermarkFlyweight;
import org.agrona.DirectBuffer;

/**
 * Reads one channel, record by record. The cursor stands before a frame or between two records of a batch; the frame
 * is given back to the sender when all of it is delivered. Task thread only.
 */
final class ChannelReader {
    /** Frames that deliver nothing (parts of records, other attempts) are bounded per read, so that others get a turn. */
    private static final int SILENT_FRAME_LIMIT = 256;

    private final ChannelLabel label;
    private final int channelIndex;
    private final int attempt;
    private final int maxRecordLength;
    private final RecordAssembler assembler;
    private final SenderSet senders;

    private FrameSource source;
    private long nextSequence;
    private DirectBuffer batch;
    private int recordOffset;
    private int batchEnd;
    private ChannelCapture capture;
    private boolean isCapturing;
    private boolean isBlocked;
    private boolean isEnded;
    private boolean isStopped;

    ChannelReader(
            final ChannelLabel label,
            final int channelIndex,
            final int attempt,
            final int maxRecordLength,
            final FrameStream stream) {
        this.label = label;
        this.channelIndex = channelIndex;
        this.attempt = attempt;
        this.maxRecordLength = maxRecordLength;
        assembler = new RecordAssembler(maxRecordLength);
        senders = new SenderSet(label, attempt, stream);
    }

    void block() {
        isBlocked = true;
    }

    void unblock() {
        isBlocked = false;
    }

    /** Whether the handler said stop in the last read. */
    boolean isStopped() {
        return isStopped;
    }

    long position() {
        return source == null ? 0 : source.position();
    }

    long cursor() {
        if (source == null) {
            return 0;
        }
        final boolean isInBatch = batch != null && !assembler.isOpen();
        return isInBatch ? source.position() + recordOffset - source.offset() : source.position();
    }

    void startCapture() {
        isCapturing = true;
        capture = null;
    }

    void stopCapture() {
        isCapturing = false;
        capture = null;
    }

    long capture(final long endPosition, final CaptureHandler handler) {
        if (source == null) {
            source = senders.find();
            if (source == null) {
                return 0;
            }
        }
        if (capture == null) {
            final int delivered = batch == null || assembler.isOpen() ? 0 : recordOffset - source.offset();
            capture = new ChannelCapture(label, channelIndex, attempt, maxRecordLength, source, delivered, assembler);
        }
        return capture.read(endPosition, handler);
    }

    long droppedFrames() {
        return senders.droppedFrames();
    }

    /** Delivers from one frame at most; gives the number of records and events delivered. */
    int read(final InputHandler handler, final int limit) {
        isStopped = false;
        if (isBlocked || isEnded || (isCapturing && !isCaptured())) {
            return 0;
        }
        if (batch != null) {
            if (recordOffset < batchEnd) {
                return resume(handler, limit);
            }
            releaseBatch();
        }
        if (source == null) {
            source = senders.find();
            if (source == null) {
                return 0;
            }
        }
        for (int i = 0; i < SILENT_FRAME_LIMIT && (!isCapturing || isCaptured()); i++) {
            final int length = source.peek();
            if (length <= 0) {
                return onNothing();
            }
            if (isCapturing && !isCaptured()) {
                // The frame lies behind bytes that the log skips, up to which the capture has come.
                return 0;
            }
            final int delivered = readFrame(source.buffer(), source.offset(), length, handler, limit);
            if (delivered > 0) {
                return delivered;
            }
        }
        return 0;
    }

    /** Whether the frame at the cursor was captured. */
    private boolean isCaptured() {
        return capture != null && source.position() < capture.position();
    }

    private int readFrame(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final InputHandler handler,
            final int limit) {
        if (length < FrameFlyweight.HEADER_LENGTH
                || FrameFlyweight.kind(buffer, offset) != DataFlyweight.WHOLE_KIND
                || FrameFlyweight.attempt(buffer, offset) != attempt
                || assembler.isOpen()) {
            return readOtherFrame(buffer, offset, length, handler);
        }
        final int bodyLength = FrameFlyweight.bodyLength(buffer, offset);
        if (bodyLength != length - FrameFlyweight.HEADER_LENGTH
                || bodyLength == 0
                || (bodyLength & Long.BYTES - 1) != 0) {
            throw fault(FrameFlyweight.fault(buffer, offset, length));
        }
        checkOrder(buffer, offset);
        batch = buffer;
        recordOffset = offset + DataFlyweight.BODY_OFFSET;
        batchEnd = recordOffset + bodyLength;
        return walk(handler, limit);
    }

    private int resume(final InputHandler handler, final int limit) {
        // The medium may have been torn down while the cursor stood in the batch; its buffer is not to be read then.
        if (source.isClosed()) {
            throw vanished();
        }
        return walk(handler, limit);
    }

    private int walk(final InputHandler handler, final int limit) {
        final DirectBuffer buffer = batch;
        final int end = batchEnd;
        int offset = recordOffset;
        int delivered = 0;
        boolean more = true;
        while (more && delivered < limit && offset < end && !isBlocked) {
            final int available = end - offset;
            if (available < RecordFlyweight.HEADER_LENGTH) {
                throw fault(RecordFlyweight.fault(buffer, offset, available));
            }
            final int valueLength = RecordFlyweight.length(buffer, offset);
            if (RecordFlyweight.flags(buffer, offset) == 0
                    && valueLength >= 0
                    && valueLength <= available - RecordFlyweight.HEADER_LENGTH) {
                // A batch is a multiple of 8 long, so a value that fits does so with its padding.
                recordOffset = offset + RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, valueLength);
                more = handler.onRecord(
                        channelIndex,
                        RecordFlyweight.timestampNs(buffer, offset),
                        InputHandler.NO_SOURCE_WATERMARK,
                        buffer,
                        offset + RecordFlyweight.HEADER_LENGTH,
                        valueLength);
            } else {
                more = deliverBehind(buffer, offset, available, handler);
            }
            delivered++;
            offset = recordOffset;
        }
        isStopped = !more;
        if (offset >= end) {
            releaseBatch();
        }
        return delivered;
    }

    private boolean deliverBehind(
            final DirectBuffer buffer, final int offset, final int available, final InputHandler handler) {
        final String fault = RecordFlyweight.fault(buffer, offset, available);
        if (fault != null) {
            throw fault(fault);
        }
        final int valueLength = RecordFlyweight.length(buffer, offset);
        recordOffset = offset + RecordFlyweight.alignedLength(RecordFlyweight.BEHIND_HEADER_LENGTH, valueLength);
        return handler.onRecord(
                channelIndex,
                RecordFlyweight.timestampNs(buffer, offset),
                RecordFlyweight.sourceWatermarkNs(buffer, offset),
                buffer,
                offset + RecordFlyweight.BEHIND_HEADER_LENGTH,
                valueLength);
    }

    private void releaseBatch() {
        batch = null;
        if (assembler.isOpen()) {
            assembler.clear();
        } else {
            source.consume();
        }
    }

    private int readOtherFrame(
            final DirectBuffer buffer, final int offset, final int length, final InputHandler handler) {
        final String fault = FrameFlyweight.fault(buffer, offset, length);
        if (fault != null) {
            throw fault(fault);
        }
        if (FrameFlyweight.attempt(buffer, offset) != attempt) {
            senders.onDropped();
            source.consume();
            return 0;
        }
        checkOrder(buffer, offset);
        final int type = FrameFlyweight.type(buffer, offset);
        if (type == FrameFlyweight.DATA) {
            return readPart(buffer, offset, handler);
        }
        if (assembler.isOpen()) {
            throw fault("expected the next part of a record, found a " + FrameFlyweight.typeName(type) + " frame");
        }
        return readEvent(type, buffer, offset, handler);
    }

    private int readPart(final DirectBuffer buffer, final int offset, final InputHandler handler) {
        final int flags = FrameFlyweight.flags(buffer, offset);
        final String fault = assembler.append(
                flags, buffer, offset + DataFlyweight.BODY_OFFSET, FrameFlyweight.bodyLength(buffer, offset));
        if (fault != null) {
            throw fault(fault);
        }
        source.consume();
        if ((flags & DataFlyweight.END) == 0) {
            return 0;
        }
        batch = assembler.buffer();
        recordOffset = 0;
        batchEnd = assembler.length();
        return walk(handler, 1);
    }

    private int readEvent(final int type, final DirectBuffer buffer, final int offset, final InputHandler handler) {
        // The frame is given back only after its fields are read, and before the handler may throw.
        final boolean more;
        switch (type) {
            case FrameFlyweight.WATERMARK -> {
                final long watermarkNs = WatermarkFlyweight.watermarkNs(buffer, offset);
                source.consume();
                more = handler.onWatermark(channelIndex, watermarkNs);
            }
            case FrameFlyweight.IDLE -> {
                source.consume();
                more = handler.onIdle(channelIndex);
            }
            case FrameFlyweight.BARRIER -> {
                final long checkpointId = BarrierFlyweight.checkpointId(buffer, offset);
                final long triggerTimeNs = BarrierFlyweight.triggerTimeNs(buffer, offset);
                final int options = BarrierFlyweight.options(buffer, offset);
                source.consume();
                more = handler.onBarrier(channelIndex, checkpointId, triggerTimeNs, options);
            }
            case FrameFlyweight.CANCELLATION -> {
                final long checkpointId = CancellationFlyweight.checkpointId(buffer, offset);
                source.consume();
                more = handler.onCancellation(channelIndex, checkpointId);
            }
            case FrameFlyweight.END_OF_DATA -> {
                isEnded = true;
                source.consume();
                more = handler.onEndOfData(channelIndex);
            }
            default ->
                throw fault("expected a frame of a data stream, found " + FrameFlyweight.typeName(type)
                        + " of a control stream");
        }
        isStopped = !more;
        return 1;
    }

    private void checkOrder(final DirectBuffer buffer, final int offset) {
        if (FrameFlyweight.channelIndex(buffer, offset) != channelIndex) {
            throw fault("expected a frame of channel " + channelIndex + ", found one of channel "
                    + FrameFlyweight.channelIndex(buffer, offset));
        }
        final long sequence = FrameFlyweight.sequence(buffer, offset);
        if (sequence != nextSequence) {
            throw fault("expected frame " + nextSequence + ", found frame " + sequence + ": frames are missing");
        }
        nextSequence = sequence + 1;
    }

    private int onNothing() {
        if (source.isClosed()) {
            throw vanished();
        }
        if (senders.hasOthers()) {
            senders.watchOthers();
        }
        return 0;
    }

    private TransportException vanished() {
        return fault("expected more frames or the end of data, found that the sender has gone");
    }

    private TransportException fault(final String fault) {
        return label.fault(source.position(), fault);
    }
}
