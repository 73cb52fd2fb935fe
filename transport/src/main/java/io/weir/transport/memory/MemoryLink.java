package io.weir.transport.memory;

import io.weir.transport.channel.FrameSource;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One sender's stream to one receiver: what a simulation turns its knobs on. Frames can be held back from the receiver
 * and let through one by one; the room can be made smaller, so that offers are back-pressured.
 */
public final class MemoryLink {
    private final String name;
    private final int streamId;
    private final FrameLog log;
    private final FrameSource source;
    private final int capacity;
    private int room;
    private boolean isHeld;
    private int allowance;
    private int sent;
    private int read;
    private boolean isSenderClosed;

    MemoryLink(final String name, final int streamId, final int capacity) {
        this.name = name;
        this.streamId = streamId;
        this.capacity = capacity;
        room = capacity;
        log = new FrameLog(capacity);
        source = new Source(false, 0, 0);
    }

    /**
     * The name of the sender.
     *
     * @return the name.
     */
    public String name() {
        return name;
    }

    /**
     * The stream that the link belongs to, data or control.
     *
     * @return the id.
     */
    public int streamId() {
        return streamId;
    }

    /** Holds back from the receiver all frames that it has not read yet, and all that come. */
    public void hold() {
        isHeld = true;
        allowance = 0;
    }

    /**
     * Lets some of the held frames through.
     *
     * @param frames how many more the receiver may read.
     */
    public void allow(final int frames) {
        allowance += frames;
    }

    /** Holds nothing back any more. */
    public void release() {
        isHeld = false;
    }

    /**
     * The frames that were sent and not read, held back or not.
     *
     * @return their count.
     */
    public int waitingFrames() {
        return sent - read;
    }

    /**
     * Bounds the bytes that wait, frames and their padding; what waits already stays. Zero makes every offer block.
     *
     * @param room in bytes; more than the link's capacity means all of it.
     */
    public void room(final int room) {
        this.room = Math.max(0, Math.min(room, capacity));
    }

    /** Makes the sender vanish: nothing more can be sent; what was sent stays readable. Idempotent. */
    public void sever() {
        isSenderClosed = true;
    }

    boolean isSenderClosed() {
        return isSenderClosed;
    }

    long claim(final int length) {
        final long position = log.claim(length, room);
        if (position > 0) {
            sent++;
        }
        return position;
    }

    int claimedOffset(final long position, final int length) {
        return log.offset(position, length);
    }

    UnsafeBuffer claimedBuffer() {
        return log.buffer();
    }

    FrameSource source() {
        return source;
    }

    @Override
    public String toString() {
        return name + " on stream " + streamId;
    }

    /** A cursor over the frames: the receiver's own, or one ahead of it. */
    private final class Source implements FrameSource {
        private final boolean isAhead;
        private long position;
        private int passed;

        private Source(final boolean isAhead, final long position, final int passed) {
            this.isAhead = isAhead;
            this.position = position;
            this.passed = passed;
        }

        @Override
        public int peek() {
            position = log.begin(Math.max(position, log.head()));
            if (!isAhead) {
                log.consumeTo(position);
            }
            return isHeld && passed - read >= allowance ? 0 : log.lengthAt(position);
        }

        @Override
        public DirectBuffer buffer() {
            return log.buffer();
        }

        @Override
        public int offset() {
            return log.offsetAt(position);
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void consume() {
            position = log.end(position);
            passed++;
            if (isAhead) {
                return;
            }
            log.consumeTo(position);
            read++;
            if (isHeld) {
                allowance--;
            }
        }

        @Override
        public boolean isClosed() {
            return isSenderClosed && sent == passed;
        }

        @Override
        public FrameSource ahead() {
            return new Source(true, position, passed);
        }
    }
}
