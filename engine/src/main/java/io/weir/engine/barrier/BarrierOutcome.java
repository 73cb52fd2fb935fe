package io.weir.engine.barrier;

/** What became of an event that a barrier handler was given; each is counted. */
public enum BarrierOutcome {
    /** A barrier arrived and others are awaited: its channel is blocked. */
    BLOCKED,

    /** At least once: a barrier, or an end of data, was counted and others are awaited. */
    COUNTED,

    /** A barrier was announced; it is awaited inline, or until the alignment timeout, or its data is being captured. */
    ANNOUNCED,

    /** The timeout ran out where a channel is awaited whose barrier overtakes nothing. */
    TURNED_UNALIGNED,

    /** The event made a checkpoint ready (or the trigger found it so): the task snapshots. */
    SNAPSHOT,

    /** The cut was made, and channel state is open. */
    SNAPSHOT_TAKEN,

    /** The task could not take the snapshot. */
    SNAPSHOT_FAILED,

    /** Data before a barrier was captured and more is awaited. */
    CAPTURED,

    /** A channel's barrier or end was met, in the stream or ahead of the cursor, that the capture had been waiting for. */
    CAPTURE_ENDED,

    /** Barriers that were still in outboxes at the timeout are moved ahead there. */
    OVERTAKING,

    /** A barrier left an outbox, or overtook there, and others are awaited. */
    BARRIER_SENT,

    /** Nothing more is awaited for a snapshot: its channel state is closed. */
    CHANNEL_STATE_CLOSED,

    /** The channel state that is captured grew past its limit: the checkpoint was given up. */
    CHANNEL_STATE_LIMIT_EXCEEDED,

    /** Restored channel state begins to be processed, or was processed. */
    RESTORING_CHANNEL_STATE,

    /** An open or not yet seen checkpoint was given up. */
    ABORTED,

    /** The first barrier or trigger of a checkpoint behind a newer one: it can't be taken any more and is declined. */
    SKIPPED,

    /** The coordinator aborted a checkpoint that has not been seen yet; its barrier will be answered by a cancellation. */
    ABORT_REMEMBERED,

    /** The barrier, cancellation or trigger of a checkpoint that had been aborted before: a cancellation is forwarded. */
    CANCELLATION_FORWARDED,

    /** The trigger came before the ends of data of the inputs; it waits for them. */
    TRIGGER_HELD,

    /** A channel ended and nothing became ready by it. */
    CHANNEL_ENDED,

    /** Ignored: the announcement has no meaning where barriers, or those of its checkpoint or edge, are always aligned. */
    IGNORED_ALIGNED_MODE,

    /** Ignored: time is told before the deadline. */
    IGNORED_EARLY_TIME,

    /** Ignored: the answer to an action for a checkpoint that is given up or closed meanwhile. */
    IGNORED_LATE_ANSWER,

    /** Ignored: barrier of a checkpoint that is older than the current one, or has been taken or given up. */
    IGNORED_LATE_BARRIER,

    /** Ignored: second barrier of the open checkpoint on one channel; a channel counts once. */
    IGNORED_DUPLICATE_BARRIER,

    /** Ignored: cancellation of a checkpoint that is older than the current one, or has been taken or given up. */
    IGNORED_LATE_CANCELLATION,

    /** Ignored: abort of a checkpoint that has been taken or given up here. What runs for it is the task's to stop. */
    IGNORED_LATE_ABORT,

    /** Ignored: trigger of a checkpoint that is not newer than the last one seen. */
    IGNORED_LATE_TRIGGER,

    /** Ignored: the trigger of a checkpoint which the coordinator has aborted, behind an older one that is open. */
    IGNORED_ABORTED_TRIGGER,

    /** Ignored: event of a channel that has ended. */
    IGNORED_ENDED_CHANNEL
}
