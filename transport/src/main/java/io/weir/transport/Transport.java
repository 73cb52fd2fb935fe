package io.weir.transport;

/**
 * Opens channels between tasks. Opening and closing happen on the job's own thread; what is opened then belongs to one
 * task's thread. {@link #pump()} may be called by any thread.
 */
public interface Transport extends AutoCloseable {
    /**
     * Draws a stream id that nobody else on the same media driver has.
     *
     * @return the id.
     */
    int nextStreamId();

    /**
     * Chooses how much each of so many channels buffers: much if they are few, little if they are many, so that all of them
     * have room beside those that are open. Ask before the first of them is opened. May block.
     *
     * @param channelCount number of channels to be open together, at least 1.
     * @return a length in bytes for {@link #openOutput}.
     * @throws NoRoomException if there is no room for them.
     * @throws TransportException if the media driver is gone.
     */
    int bufferLength(long channelCount);

    /**
     * Opens the receiving end of all channels of one task. Open it before the sending ends.
     *
     * @param attempt execution attempt; frames of other attempts are dropped.
     * @param name of the task, for errors.
     * @param dataStreamIds one per channel, in channel order.
     * @param controlStreamId of the task's priority lane.
     * @return the gate.
     */
    InputGate openGate(int attempt, String name, int[] dataStreamIds, int controlStreamId);

    /**
     * Opens the sending end of one channel.
     *
     * @param attempt execution attempt, stamped on every frame.
     * @param name of the channel, for errors.
     * @param dataStreamId as given to the gate.
     * @param controlStreamId as given to the gate.
     * @param channelIndex of this channel in the gate.
     * @param bufferLength in bytes of the channel's data, from {@link #bufferLength(int)}.
     * @return the channel.
     */
    OutputChannel openOutput(
            int attempt, String name, int dataStreamId, int controlStreamId, int channelIndex, int bufferLength);

    /**
     * Gives the media driver a turn where it runs on demand and nobody else gives it one at this moment. Workers call
     * this when they stall. Never blocks.
     *
     * <p>Somebody must call this at least once a second, stalled or not: an external driver takes a client that is
     * silent for longer than its timeout for dead.
     *
     * @return the amount of work done, 0 if none.
     */
    int pump();

    /**
     * Closes everything that is still open, then the connection to the driver. No task may use an end any more: the
     * buffers under it are unmapped. Idempotent.
     */
    @Override
    void close();
}
