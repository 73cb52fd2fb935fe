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
     * The place of a channel's cursor in its data stream, to the record: all records that begin before it were delivered, but
     * for one whose parts have not all come.
     *
     * @param channelIndex of the channel.
     * @return the position in bytes, at least {@link #position}.
     */
    long cursor(int channelIndex);

    /**
     * Begins to capture what is in flight on a channel, from its cursor on. Until {@link #stopCapture}, records and events are
     * delivered as far as they have been captured.
     *
     * @param channelIndex of the channel.
     */
    void startCapture(int channelIndex);

    /**
     * Captures more, ahead of the cursor, as far as it has arrived: whole records, in order, with their headers. Watermarks and
     * idleness are passed over.
     *
     * @param channelIndex of a channel whose capture has begun.
     * @param endPosition in its data stream: no frame is begun at or behind it.
     * @param handler that takes the records, and is told of a barrier, a cancellation and the end of data.
     * @return the position up to which all has been captured; 0 while no frame has arrived on the channel.
     */
    long capture(int channelIndex, long endPosition, CaptureHandler handler);

    /**
     * Captures no more on a channel. Idempotent.
     *
     * @param channelIndex of the channel.
     */
    void stopCapture(int channelIndex);

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
