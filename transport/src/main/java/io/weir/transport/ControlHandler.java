package io.weir.transport;

/** Takes what an {@link InputGate} reads from its priority control stream. Task thread only. */
public interface ControlHandler {
    /**
     * A barrier was announced; its inline frame may still be far behind data in flight.
     *
     * @param channelIndex of the channel in its gate.
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options as the sender gave them.
     * @param position of the channel's data stream at which the inline barrier belongs.
     */
    void onAnnouncement(int channelIndex, long checkpointId, long triggerTimeNs, int options, long position);
}
