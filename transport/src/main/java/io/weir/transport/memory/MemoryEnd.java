package io.weir.transport.memory;

import io.weir.transport.OutputChannel;
import org.agrona.concurrent.UnsafeBuffer;

/** A sender's end of a link: knows whether the receiver is there, and where a claimed frame goes. */
final class MemoryEnd {
    private final MemoryStream stream;
    private final MemoryLink link;
    private int offset;

    MemoryEnd(final MemoryStream stream, final MemoryLink link) {
        this.stream = stream;
        this.link = link;
    }

    MemoryLink link() {
        return link;
    }

    /** Gives the position after the frame, or BACK_PRESSURED or CLOSED. */
    long claim(final int length) {
        if (link.isSenderClosed()) {
            return OutputChannel.CLOSED;
        }
        if (!stream.isJoined()) {
            return stream.wasJoined() ? OutputChannel.CLOSED : OutputChannel.BACK_PRESSURED;
        }
        final long position = link.claim(length);
        if (position < 0) {
            return OutputChannel.BACK_PRESSURED;
        }
        offset = link.claimedOffset(position, length);
        return position;
    }

    UnsafeBuffer buffer() {
        return link.claimedBuffer();
    }

    int offset() {
        return offset;
    }
}
