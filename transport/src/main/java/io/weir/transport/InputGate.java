package io.weir.transport;

/**
 * The receiving ends of all channels of one task, and the task's priority control stream. Task thread only. Nothing
 * here blocks or, after warm-up, allocates.
 *
 * <p>The gate keeps a cursor of its own per channel: it can stop between any two records, also inside a batch, and the
 * bytes behind the cursor stay in the log buffer. Frames of another execution attempt are dropped and counted. A gap, a
 * frame that can't be read, or a sender that vanished before its end of data ends the task with a
 * {@link TransportException} that names the channel and the position.
 */
public interface InputGate extends AutoCloseable {
    /**
     * The number of channels.
     *
     * @return how many channels the gate reads.
     */
    int channelCount();

    /**
     * Reads what waits on the priority control stream.
     *
     * @param handler that takes the messages.
     * @return the number of messages read.
     */
    int pollControl(ControlHandler handler);

    /**
     * Reads records and events from the channels that are not blocked, in turn, fairly, until the limit is met, nothing
     * is left, or the handler says stop.
     *
     * @param handler that takes records and events.
     * @param limit of records and events together, positive.
     * @return the number of records and events delivered.
     */
    int poll(InputHandler handler, int limit);

    /**
     * Stops reading a channel at its cursor. Idempotent.
     *
     * @param channelIndex of the channel.
     */
    void block(int channelIndex);

    /**
     * Reads a blocked channel again. Idempotent.
     *
     * @param channelIndex of the channel.
     */
    void unblock(int channelIndex);

    /**
     * The place of a channel's cursor in its data stream: the start of the frame it stands in or before. Once
     * all that was sent is read, it is at or, by unused bytes of the log, past the sender's position.
     *
     * @param channelIndex of the channel.
     * @return the position in bytes.
     */
    long position(int channelIndex);

    /**
     * The frames of other execution attempts that were dropped, on all streams of the gate.
     *
     * @return the count since the gate was opened.
     */
    long droppedFrames();

    /** Frees all ends; later polls find nothing. Idempotent. */
    @Override
    void close();
}
