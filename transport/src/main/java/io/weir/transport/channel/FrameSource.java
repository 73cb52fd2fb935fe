package io.weir.transport.channel;

import org.agrona.DirectBuffer;

/**
 * The frames of one sender on one stream, one at a time: the medium behind a channel. Receiver's thread only; nothing
 * here blocks or allocates.
 */
public interface FrameSource {
    /**
     * Looks at the frame at the cursor without moving behind it. A second call finds the same frame.
     *
     * @return the frame's length, or 0 if there is none now.
     */
    int peek();

    /**
     * The buffer that holds the frame that {@link #peek()} found; valid until {@link #consume()}.
     *
     * @return the buffer.
     */
    DirectBuffer buffer();

    /**
     * The place of the frame that {@link #peek()} found.
     *
     * @return the offset in {@link #buffer()}.
     */
    int offset();

    /**
     * The place of the cursor in the stream.
     *
     * @return the position of the frame that the cursor stands at, in bytes.
     */
    long position();

    /** Moves the cursor behind the frame that {@link #peek()} found, and gives its room back to the sender. */
    void consume();

    /**
     * Whether nothing can be read any more, because the sender has gone and all it sent is read, or because the medium
     * has gone. What {@link #buffer()} gave must not be read any more.
     *
     * @return whether this source is at its end.
     */
    boolean isClosed();

    /**
     * A second cursor over the same frames, which gives no room back to the sender. It begins where this one stands, and is
     * moved on with this one where it would be behind it.
     *
     * @return the second cursor; {@link #consume()} moves nothing but it.
     */
    FrameSource ahead();
}
