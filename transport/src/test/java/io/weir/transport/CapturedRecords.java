package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.RecordFlyweight;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Writes down the records that a gate captures on one channel, as {@link Recorder} does those that are delivered. */
final class CapturedRecords implements CaptureHandler {
    private final List<String> expected;
    private final long end;
    private final List<String> lines = new ArrayList<>();
    private final List<String> met = new ArrayList<>();
    private long position;
    private int delivered;

    /**
     * A capture.
     *
     * @param expected the records to come.
     * @param end where their stream ended when the capture began.
     */
    CapturedRecords(final List<String> expected, final long end) {
        this.expected = expected;
        this.end = end;
    }

    List<String> expected() {
        return expected;
    }

    List<String> lines() {
        return lines;
    }

    /** The barriers and cancellations that were passed or met, and the end. */
    List<String> met() {
        return met;
    }

    long end() {
        return end;
    }

    long position() {
        return position;
    }

    void position(final long newPosition) {
        assertTrue(newPosition >= position, "a capture went back from " + position + " to " + newPosition);
        position = newPosition;
    }

    boolean isDone(final long cursor) {
        return Math.max(position, cursor) >= end;
    }

    /** A record was delivered while the capture went on: it must have been captured before. */
    void delivered(final String line, final long seed) {
        assertTrue(delivered < lines.size(), line + " was delivered and not captured, seed " + seed);
        assertEquals(lines.get(delivered), line, "seed " + seed);
        delivered++;
    }

    @Override
    public void onCapturedRecords(
            final int channelIndex, final DirectBuffer buffer, final int offset, final int length) {
        for (int at = offset; at < offset + length; ) {
            final int valueLength = RecordFlyweight.length(buffer, at);
            final boolean isBehind = RecordFlyweight.flags(buffer, at) == RecordFlyweight.BEHIND;
            final int header = isBehind ? RecordFlyweight.BEHIND_HEADER_LENGTH : RecordFlyweight.HEADER_LENGTH;
            final long timestampNs = RecordFlyweight.timestampNs(buffer, at);
            for (int i = 0; i < valueLength; i++) {
                assertEquals(Feed.valueByte(timestampNs, i), buffer.getByte(at + header + i), "byte " + i);
            }
            lines.add(Recorder.record(channelIndex, timestampNs, valueLength)
                    + (isBehind ? " behind " + RecordFlyweight.sourceWatermarkNs(buffer, at) : ""));
            at += RecordFlyweight.alignedLength(header, valueLength);
        }
    }

    @Override
    public boolean onBarrierAhead(final int channelIndex, final long checkpointId) {
        met.add(channelIndex + " barrier " + checkpointId);
        return true;
    }

    @Override
    public boolean onCancellationAhead(final int channelIndex, final long checkpointId) {
        met.add(channelIndex + " cancellation " + checkpointId);
        return true;
    }

    @Override
    public void onEndOfDataAhead(final int channelIndex) {
        met.add(channelIndex + " end");
    }
}
