package io.weir.engine.barrier;

/** What a barrier handler asks its task to do. The task carries actions out in the order given. */
public sealed interface BarrierAction {
    /**
     * Read no further from the channel: nothing behind its barrier may be processed before the snapshot.
     *
     * @param channelIndex of an open channel.
     */
    record Block(int channelIndex) implements BarrierAction {}

    /**
     * Read the channel again.
     *
     * @param channelIndex of a channel that was blocked.
     */
    record Unblock(int channelIndex) implements BarrierAction {}

    /**
     * Cut here: pre-barrier hook, barrier to every output, freeze of the state, in one step with no record, timer or
     * callback in between. The acknowledgement follows when the frozen state is durable.
     *
     * @param checkpointId that the snapshot is part of; greater than that of every earlier snapshot.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds; goes on with the barrier.
     * @param options as the barrier or trigger gave them; go on with the barrier.
     * @param startDelayNs from the trigger time to the first barrier here, at least 0.
     * @param alignmentTimeNs from the first barrier here to the last, at least 0.
     */
    record Snapshot(long checkpointId, long triggerTimeNs, int options, long startDelayNs, long alignmentTimeNs)
            implements BarrierAction {}

    /**
     * No snapshot will be taken for this checkpoint: drop what was begun for it and, unless the reason is
     * {@link AbortReason#COORDINATOR}, decline it to the coordinator.
     *
     * @param checkpointId that is given up.
     * @param reason for the decline.
     */
    record Abort(long checkpointId, AbortReason reason) implements BarrierAction {}

    /**
     * Send a cancellation, in order, to every output: the barrier will not come from here.
     *
     * @param checkpointId that is given up.
     */
    record ForwardCancellation(long checkpointId) implements BarrierAction {}
}
