package io.weir.engine.barrier;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A channel of a model job: what its sender has not written yet, the stream in flight with its positions and unused bytes, and
 * the priority lane beside it. Records are numbered in the order in which they were emitted.
 */
final class ModelChannel {
    static final int ALIGNMENT = 8;

    enum Kind {
        RECORD,
        BARRIER,
        CANCELLATION,
        END
    }

    /** One frame: a record by its number, or an event by its checkpoint id. */
    record Frame(Kind kind, long id, long triggerTimeNs, int options, int length) {
        static Frame event(Kind kind, long checkpointId) {
            return new Frame(kind, checkpointId, 0, 0, ALIGNMENT);
        }
    }

    record Announcement(long checkpointId, long triggerTimeNs, int options, long position) {}

    private record Placed(Frame frame, long position) {}

    final EdgeOrder order;
    final List<Frame> outbox = new ArrayList<>();
    final Deque<Announcement> lane = new ArrayDeque<>();
    private final List<Placed> stream = new ArrayList<>();
    private long endPosition;
    private int cursor;
    private long emitted;
    private long processed;
    private boolean firstIsHalfSent;

    ModelChannel(EdgeOrder order) {
        this.order = order;
    }

    void emit(int length) {
        outbox.add(new Frame(Kind.RECORD, nextRecord(), 0, 0, length));
    }

    long nextRecord() {
        return emitted++;
    }

    long emitted() {
        return emitted;
    }

    long processed() {
        return processed;
    }

    /** A part of the first record in the outbox is on its way: nothing can go ahead of it. */
    void sendHalf() {
        firstIsHalfSent = !outbox.isEmpty() && outbox.get(0).kind() == Kind.RECORD;
    }

    /** Writes the first frame of the outbox, behind some bytes that stay unused, and tells which it was. */
    Frame flush(int unusedBytes) {
        firstIsHalfSent = false;
        Frame frame = outbox.remove(0);
        stream.add(new Placed(frame, endPosition + unusedBytes));
        endPosition += unusedBytes + frame.length();
        return frame;
    }

    int inFlight() {
        return stream.size() - cursor;
    }

    /** Puts a barrier into the outbox; tells the length of what it overtook. */
    long place(BarrierPlacement placement, Frame barrier, List<Long> overtaken) {
        if (placement == BarrierPlacement.OVERTAKING) {
            return overtake(barrier, overtaken, outbox.size());
        }
        outbox.add(barrier);
        if (placement == BarrierPlacement.ANNOUNCED) {
            announce(barrier, outbox.size() == 1);
        }
        return 0;
    }

    /** Moves a barrier that is in the outbox ahead; tells the length of what it overtook. */
    long overtakeLate(long checkpointId, int options, List<Long> overtaken) {
        for (int i = 0; i < outbox.size(); i++) {
            Frame frame = outbox.get(i);
            if (frame.kind() == Kind.BARRIER && frame.id() == checkpointId) {
                outbox.remove(i);
                Frame barrier = new Frame(Kind.BARRIER, checkpointId, frame.triggerTimeNs(), options, frame.length());
                return overtake(barrier, overtaken, i);
            }
        }
        throw new AssertionError("barrier " + checkpointId + " is not in the outbox");
    }

    private long overtake(Frame barrier, List<Long> overtaken, int behind) {
        int head = firstIsHalfSent && behind > 0 ? 1 : 0;
        long bytes = 0;
        for (Frame frame : outbox.subList(head, behind)) {
            if (frame.kind() == Kind.RECORD) {
                overtaken.add(frame.id());
                bytes += frame.length();
            }
        }
        outbox.add(head, barrier);
        announce(barrier, head == 0);
        return bytes;
    }

    void announce(Frame barrier, boolean fixed) {
        int options = fixed ? BarrierOptions.positionFixed(barrier.options()) : barrier.options();
        lane.add(new Announcement(barrier.id(), barrier.triggerTimeNs(), options, endPosition));
    }

    /** The next frame for the task, or null. */
    Frame peek(long readLimit) {
        return inFlight() > 0 && stream.get(cursor).position() < readLimit
                ? stream.get(cursor).frame()
                : null;
    }

    Frame read() {
        Frame frame = stream.get(cursor++).frame();
        if (frame.kind() == Kind.RECORD) {
            processed++;
        }
        return frame;
    }

    /** Where the first frame that was not read is, or will be at the earliest. */
    long cursorPosition() {
        return inFlight() > 0 ? stream.get(cursor).position() : endPosition;
    }

    /** The frames in flight that begin in a slice, and where each ends. */
    void forEach(long begin, long end, FrameConsumer consumer) {
        for (int i = cursor; i < stream.size() && stream.get(i).position() < end; i++) {
            Placed placed = stream.get(i);
            if (placed.position() >= begin
                    && !consumer.accept(
                            placed.frame(), placed.position() + placed.frame().length())) {
                return;
            }
        }
    }

    interface FrameConsumer {
        /** Takes a frame, and tells whether to go on. */
        boolean accept(Frame frame, long endPosition);
    }
}
