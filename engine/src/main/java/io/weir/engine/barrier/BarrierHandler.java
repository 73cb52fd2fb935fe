package io.weir.engine.barrier;

import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * The barriers of one task: events in, actions out. Checkpoint ids are at least 0 and rise per channel; gaps are no error.
 * All times are epoch nanoseconds of one clock. Every event returns the actions it asks for, never null, and leaves a named
 * {@link #outcome()}. Task thread only, except for {@link #state()}, {@link #currentCheckpointId()} and
 * {@link #count(BarrierOutcome)}.
 *
 * <p>The events come in four kinds: what the channels bring, what the coordinator says, the time, and what answers an
 * action. An answer to what has been given up meanwhile is ignored.
 */
public sealed interface BarrierHandler permits ExactlyOnceBarrierHandler, AtLeastOnceBarrierHandler {
    /** The current checkpoint id before the first checkpoint. */
    long NO_CHECKPOINT = -1;

    /**
     * A barrier was announced on the priority lane, ahead of the data before it; or announced again, since its sender
     * moved it ahead of what was unsent.
     *
     * @param channelIndex of the channel.
     * @param checkpointId that was announced.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options as the sender gave them.
     * @param position in the channel's data stream at which, or behind which, the data before the barrier ends: see
     *     {@link BarrierOptions#positionFixed}.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onAnnouncement(
            int channelIndex, long checkpointId, long triggerTimeNs, int options, long position, long nowNs);

    /**
     * The inline barrier arrived: all data before it has been processed.
     *
     * @param channelIndex of the channel.
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options as the sender gave them.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onBarrier(int channelIndex, long checkpointId, long triggerTimeNs, int options, long nowNs);

    /**
     * An in-order cancellation arrived: the barrier of this checkpoint won't come on this channel.
     *
     * @param channelIndex of the channel.
     * @param checkpointId that is given up.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onCancellation(int channelIndex, long checkpointId, long nowNs);

    /**
     * The channel has ended, which counts as its barrier of every later checkpoint.
     *
     * @param channelIndex of the channel.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onEndOfData(int channelIndex, long nowNs);

    /**
     * The coordinator aborted a checkpoint, perhaps before its barrier arrived here: then that barrier, when it comes,
     * is answered by a forwarded cancellation and nothing else.
     *
     * @param checkpointId that is given up.
     * @return the actions.
     */
    List<BarrierAction> onAbort(long checkpointId);

    /**
     * The coordinator triggered this task itself, since no running task is upstream of it. Where ends of data are still on
     * their way the snapshot waits for them, or captures the data before them once the checkpoint is unaligned.
     *
     * @param checkpointId that is triggered.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options for the barriers.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onTrigger(long checkpointId, long triggerTimeNs, int options, long nowNs);

    /**
     * Time went on to {@link #deadlineNs()} or past it.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onTime(long nowNs);

    /**
     * Restored channel state waits to be processed: until {@link #onChannelStateRestored} no cut is made ahead of a
     * barrier, since that data would be in no snapshot. No input is read meanwhile.
     *
     * @return the actions.
     */
    List<BarrierAction> onChannelStateRestoring();

    /**
     * All restored channel state was processed.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onChannelStateRestored(long nowNs);

    /**
     * Answers {@link BarrierAction.Snapshot}.
     *
     * @param checkpointId of the snapshot.
     * @param cursors by input channel: the position of the first record that was not processed before the cut.
     * @param outputBytes that the barrier overtook in the outboxes and that are output channel state.
     * @param nowNs epoch nanoseconds, behind the cut.
     * @return the actions.
     */
    List<BarrierAction> onSnapshotTaken(long checkpointId, IntToLongFunction cursors, long outputBytes, long nowNs);

    /**
     * Answers {@link BarrierAction.Snapshot} that failed. The task itself tells downstream and the coordinator.
     *
     * @param checkpointId of the snapshot.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onSnapshotFailed(long checkpointId, long nowNs);

    /**
     * Answers {@link BarrierAction.Capture}.
     *
     * @param channelIndex of the input.
     * @param checkpointId that was captured for.
     * @param position up to which all records are captured.
     * @param bytes of the records captured since the last answer.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onCaptured(int channelIndex, long checkpointId, long position, long bytes, long nowNs);

    /**
     * The capture met a barrier ahead of the cursor, with all records before it captured and told.
     *
     * @param channelIndex of the input.
     * @param checkpointId of the barrier.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onBarrierAhead(int channelIndex, long checkpointId, long nowNs);

    /**
     * The capture met a cancellation ahead of the cursor.
     *
     * @param channelIndex of the input.
     * @param checkpointId of the cancellation.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onCancellationAhead(int channelIndex, long checkpointId, long nowNs);

    /**
     * The capture met the end of data ahead of the cursor, with all records before it captured and told.
     *
     * @param channelIndex of the input.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onEndOfDataAhead(int channelIndex, long nowNs);

    /**
     * The barrier left the outbox.
     *
     * @param outputIndex of the output.
     * @param checkpointId of the barrier.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onBarrierSent(int outputIndex, long checkpointId, long nowNs);

    /**
     * Answers {@link BarrierAction.Overtake}.
     *
     * @param outputIndex of the output.
     * @param checkpointId of the barrier.
     * @param bytes of the records that it overtook, captured as output channel state.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    List<BarrierAction> onOvertaken(int outputIndex, long checkpointId, long bytes, long nowNs);

    /** The end of data went to every output, which stands for all later barriers: none is awaited to leave. */
    void onOutputsEnded();

    /**
     * Records were processed. Never allocates.
     *
     * @param bytes of them.
     */
    void onProcessed(long bytes);

    /**
     * When {@link #onTime} is wanted next. Never allocates.
     *
     * @return epoch nanoseconds, {@link Long#MAX_VALUE} for not at all.
     */
    long deadlineNs();

    /**
     * How far a channel may be processed: what is not captured yet comes first. Never allocates.
     *
     * @param channelIndex of the channel.
     * @return a position in its stream, {@link Long#MAX_VALUE} for no limit.
     */
    long readLimit(int channelIndex);

    /**
     * Tells whether a channel must not be read. Never allocates.
     *
     * @param channelIndex of the channel.
     * @return whether it is blocked.
     */
    boolean isBlocked(int channelIndex);

    /**
     * Tells whether any input has yet to end.
     *
     * @return false for a source and for a task whose inputs have all ended.
     */
    boolean hasRunningInputs();

    /**
     * Tells whether a snapshot was taken that {@link BarrierAction.ChannelStateClosed} is still to come for.
     *
     * @return whether channel state is open.
     */
    boolean hasOpenChannelState();

    /**
     * Where the task stands now. Any thread.
     *
     * @return the state after the last event.
     */
    BarrierState state();

    /**
     * The newest checkpoint that was begun, taken or given up here. Any thread.
     *
     * @return its id, or {@link #NO_CHECKPOINT}.
     */
    long currentCheckpointId();

    /**
     * What became of the last event.
     *
     * @return the outcome, null before the first event.
     */
    BarrierOutcome outcome();

    /**
     * How many events came out so. Any thread.
     *
     * @param of the outcome asked for.
     * @return the count since the start.
     */
    long count(BarrierOutcome of);
}
