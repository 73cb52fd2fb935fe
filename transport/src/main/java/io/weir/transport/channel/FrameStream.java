package io.weir.transport.channel;

/**
 * The receiving end of a stream: a row of senders that grows as they join. Receiver's thread only, apart from joining.
 */
public interface FrameStream extends AutoCloseable {
    /**
     * How many senders have joined since the stream was opened. Cheap enough for every empty poll.
     *
     * @return the count; it never shrinks.
     */
    int sourceCount();

    /**
     * A sender that has joined. Allocates.
     *
     * @param index in the order of joining.
     * @return a new source at the position where the sender joined; ask once per index.
     */
    FrameSource source(int index);

    /** Frees this end. Idempotent. */
    @Override
    void close();
}
