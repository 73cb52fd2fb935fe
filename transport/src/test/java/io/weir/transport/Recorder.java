package io.weir.transport;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Writes down what a gate delivers, one line per record or event, and says stop when it is told to. */
public final class Recorder implements InputHandler, ControlHandler {
    private final List<String> lines = new ArrayList<>();
    private int stopAfter = Integer.MAX_VALUE;
    private Runnable beforeReturn = () -> {};

    public List<String> lines() {
        return lines;
    }

    public List<String> take() {
        final List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    /** Says stop with the n-th line from now on. */
    public Recorder stopAfter(final int count) {
        stopAfter = count == Integer.MAX_VALUE ? count : lines.size() + count;
        return this;
    }

    public Recorder beforeReturn(final Runnable action) {
        beforeReturn = action;
        return this;
    }

    public static String record(final int channelIndex, final long timestampNs, final int length) {
        return channelIndex + " record " + timestampNs + " of " + length;
    }

    @Override
    public boolean onRecord(
            final int channelIndex,
            final long timestampNs,
            final long sourceWatermarkNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) != Feed.valueByte(timestampNs, i)) {
                throw new AssertionError("record " + timestampNs + " differs at byte " + i);
            }
        }
        final String behind = sourceWatermarkNs == NO_SOURCE_WATERMARK ? "" : " behind " + sourceWatermarkNs;
        return add(record(channelIndex, timestampNs, length) + behind);
    }

    @Override
    public boolean onWatermark(final int channelIndex, final long watermarkNs) {
        return add(channelIndex + " watermark " + watermarkNs);
    }

    @Override
    public boolean onIdle(final int channelIndex) {
        return add(channelIndex + " idle");
    }

    @Override
    public boolean onBarrier(
            final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        return add(channelIndex + " barrier " + checkpointId + " at " + triggerTimeNs + " with " + options);
    }

    @Override
    public boolean onCancellation(final int channelIndex, final long checkpointId) {
        return add(channelIndex + " cancellation " + checkpointId);
    }

    @Override
    public boolean onEndOfData(final int channelIndex) {
        return add(channelIndex + " end");
    }

    @Override
    public void onAnnouncement(
            final int channelIndex,
            final long checkpointId,
            final long triggerTimeNs,
            final int options,
            final long position) {
        add(channelIndex + " announcement " + checkpointId + " at " + triggerTimeNs + " with " + options + " for "
                + position);
    }

    private boolean add(final String line) {
        lines.add(line);
        beforeReturn.run();
        return lines.size() < stopAfter;
    }
}
