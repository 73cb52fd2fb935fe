package io.weir.transport.channel;

import io.weir.transport.frame.FrameFlyweight;
import java.util.ArrayList;
import java.util.List;

/**
 * The senders on a data stream: finds the one of our execution attempt, and drops what others send. Slow path: asked
 * until the sender is found, and later only when its stream is empty and another sender has joined.
 */
final class SenderSet {
    private static final int DROP_LIMIT = 256;

    private final ChannelLabel label;
    private final int attempt;
    private final FrameStream stream;
    private final List<FrameSource> undecided = new ArrayList<>();
    private final List<FrameSource> foreign = new ArrayList<>();
    private int known;
    private long droppedFrames;

    SenderSet(final ChannelLabel label, final int attempt, final FrameStream stream) {
        this.label = label;
        this.attempt = attempt;
        this.stream = stream;
    }

    long droppedFrames() {
        return droppedFrames;
    }

    void onDropped() {
        droppedFrames++;
    }

    boolean hasOthers() {
        return stream.sourceCount() > known || !foreign.isEmpty() || !undecided.isEmpty();
    }

    /** Gives the sender of our attempt, whose first frame is peeked, or null if there is none yet. */
    FrameSource find() {
        admit();
        for (int i = 0; i < undecided.size(); i++) {
            final FrameSource source = undecided.get(i);
            final int length = source.peek();
            if (length > 0) {
                final String fault = FrameFlyweight.fault(source.buffer(), source.offset(), length);
                if (fault != null) {
                    throw label.fault(source.position(), fault);
                }
                undecided.remove(i);
                if (FrameFlyweight.attempt(source.buffer(), source.offset()) == attempt) {
                    return source;
                }
                foreign.add(source);
                i--;
            } else if (source.isClosed()) {
                throw label.fault(source.position(), "expected a first frame, found that the sender has gone");
            }
        }
        dropForeign();
        return null;
    }

    /** Called when our sender is known and has sent nothing new. */
    void watchOthers() {
        final FrameSource second = find();
        if (second != null) {
            throw label.fault(second.position(), "expected one sender of execution attempt " + attempt + ", found two");
        }
    }

    private void admit() {
        while (known < stream.sourceCount()) {
            undecided.add(stream.source(known));
            known++;
        }
    }

    private void dropForeign() {
        for (int i = foreign.size() - 1; i >= 0; i--) {
            final FrameSource source = foreign.get(i);
            int dropped = 0;
            while (dropped < DROP_LIMIT && source.peek() > 0) {
                source.consume();
                dropped++;
            }
            droppedFrames += dropped;
            if (dropped == 0 && source.isClosed()) {
                foreign.remove(i);
            }
        }
    }
}
