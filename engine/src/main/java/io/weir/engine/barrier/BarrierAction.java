package io.weir.engine.barrier;

/**
 * What a barrier handler asks its task to do. The task carries out all that one event asked for, in the order given, and then
 * answers what wants an answer.
 */
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
     * Cut here: pre-barrier hook, barrier to every output as {@link BarrierPlacement} tells for its edge, freeze of the
     * state, in one step with no record, timer or callback in between.
     *
     * <p>If the options say that the barrier may overtake, {@link BarrierHandler#onSnapshotTaken} answers before the next
     * record or event that is no answer, and the acknowledgement follows when the frozen state is durable and
     * {@link ChannelStateClosed} has come; else it follows when the state is durable.
     *
     * @param checkpointId that the snapshot is part of; greater than that of every earlier snapshot.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds; goes on with the barrier.
     * @param options as the barrier or trigger gave them, or turned unaligned; go on with the barrier.
     * @param metrics up to the cut.
     */
    record Snapshot(long checkpointId, long triggerTimeNs, int options, BarrierMetrics metrics)
            implements BarrierAction {}

    /**
     * Capture, as input channel state, the records of the channel that begin in this slice of its stream, as far as they
     * have arrived, ahead of processing. Takes the place of an earlier slice of the channel that is not done yet.
     * {@link BarrierHandler#onCaptured} answers as often as there is progress, and what is met on the way is told by
     * {@link BarrierHandler#onBarrierAhead}, {@link BarrierHandler#onCancellationAhead} and
     * {@link BarrierHandler#onEndOfDataAhead}. Nothing is processed that is not captured:
     * {@link BarrierHandler#readLimit}.
     *
     * @param channelIndex of the input.
     * @param checkpointId that the records belong to.
     * @param beginPosition in the channel's stream: the first record that is not captured.
     * @param endPosition in the channel's stream, at which to stop.
     */
    record Capture(int channelIndex, long checkpointId, long beginPosition, long endPosition)
            implements BarrierAction {}

    /**
     * Capture no further on the channel.
     *
     * @param channelIndex of the input.
     * @param checkpointId that was captured for.
     */
    record StopCapture(int channelIndex, long checkpointId) implements BarrierAction {}

    /**
     * The alignment timeout ran out while the barrier is in the outbox: capture the records ahead of it as output channel
     * state, move it ahead of them, and announce it as unaligned. {@link BarrierHandler#onOvertaken} answers.
     *
     * @param outputIndex of the output.
     * @param checkpointId of the barrier.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds; goes on with the barrier.
     * @param options that replace those of the barrier.
     */
    record Overtake(int outputIndex, long checkpointId, long triggerTimeNs, int options) implements BarrierAction {}

    /**
     * No record will be added to the checkpoint's channel state: once it and the frozen state are durable, acknowledge.
     *
     * @param checkpointId whose snapshot was taken.
     * @param metrics of all of it.
     */
    record ChannelStateClosed(long checkpointId, BarrierMetrics metrics) implements BarrierAction {}

    /**
     * No snapshot will be taken for this checkpoint, or none will be complete: drop what was begun for it and, unless the
     * reason is {@link AbortReason#COORDINATOR}, decline it to the coordinator.
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
