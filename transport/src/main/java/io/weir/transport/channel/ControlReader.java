package io.weir.transport.channel;

import io.weir.transport.ControlHandler;
import io.weir.transport.frame.AnnouncementFlyweight;
import io.weir.transport.frame.FrameFlyweight;
import org.agrona.DirectBuffer;

/**
 * Reads a task's priority control stream, on which every upstream task is a sender of its own. A sender that leaves is no
 * fault here: its data stream tells whether it was done. Task thread only.
 */
final class ControlReader {
    private static final int FRAME_LIMIT = 64;

    private final ChannelLabel label;
    private final int attempt;
    private final int channelCount;
    private final FrameStream stream;
    private Lane[] lanes = {};
    private long droppedFrames;

    ControlReader(final ChannelLabel label, final int attempt, final int channelCount, final FrameStream stream) {
        this.label = label;
        this.attempt = attempt;
        this.channelCount = channelCount;
        this.stream = stream;
    }

    long droppedFrames() {
        return droppedFrames;
    }

    int poll(final ControlHandler handler) {
        if (stream.sourceCount() > lanes.length) {
            admit();
        }
        int delivered = 0;
        for (final Lane lane : lanes) {
            delivered += poll(lane, handler);
        }
        return delivered;
    }

    private int poll(final Lane lane, final ControlHandler handler) {
        final FrameSource source = lane.source;
        int delivered = 0;
        for (int i = 0; i < FRAME_LIMIT; i++) {
            final int length = source.peek();
            if (length <= 0) {
                break;
            }
            delivered += read(lane, source.buffer(), source.offset(), length, handler);
        }
        return delivered;
    }

    private int read(
            final Lane lane,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final ControlHandler handler) {
        final String fault = fault(lane, buffer, offset, length);
        if (fault != null) {
            throw label.fault(lane.source.position(), fault);
        }
        if (FrameFlyweight.attempt(buffer, offset) != attempt) {
            droppedFrames++;
            lane.source.consume();
            return 0;
        }
        lane.nextSequence++;
        final int channelIndex = FrameFlyweight.channelIndex(buffer, offset);
        final long checkpointId = AnnouncementFlyweight.checkpointId(buffer, offset);
        final long triggerTimeNs = AnnouncementFlyweight.triggerTimeNs(buffer, offset);
        final int options = AnnouncementFlyweight.options(buffer, offset);
        final long position = AnnouncementFlyweight.position(buffer, offset);
        lane.source.consume();
        handler.onAnnouncement(channelIndex, checkpointId, triggerTimeNs, options, position);
        return 1;
    }

    private String fault(final Lane lane, final DirectBuffer buffer, final int offset, final int length) {
        final String fault = FrameFlyweight.fault(buffer, offset, length);
        if (fault != null) {
            return fault;
        }
        final int type = FrameFlyweight.type(buffer, offset);
        if (type != FrameFlyweight.ANNOUNCEMENT) {
            return "expected a frame of a control stream, found " + FrameFlyweight.typeName(type) + " of a data stream";
        }
        if (FrameFlyweight.attempt(buffer, offset) != attempt) {
            return null;
        }
        final int channelIndex = FrameFlyweight.channelIndex(buffer, offset);
        if (channelIndex < 0 || channelIndex >= channelCount) {
            return "expected a channel index in [0, " + channelCount + "), found " + channelIndex;
        }
        final long sequence = FrameFlyweight.sequence(buffer, offset);
        return sequence == lane.nextSequence
                ? null
                : "expected frame " + lane.nextSequence + " of channel " + channelIndex + ", found frame " + sequence
                        + ": frames are missing";
    }

    private void admit() {
        final Lane[] grown = new Lane[stream.sourceCount()];
        System.arraycopy(lanes, 0, grown, 0, lanes.length);
        for (int i = lanes.length; i < grown.length; i++) {
            grown[i] = new Lane(stream.source(i));
        }
        lanes = grown;
    }

    private static final class Lane {
        private final FrameSource source;
        private long nextSequence;

        private Lane(final FrameSource source) {
            this.source = source;
        }
    }
}
