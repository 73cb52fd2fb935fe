package io.weir.engine.barrier;

/** What became of an event that a barrier handler was given; each is counted. */
public enum BarrierOutcome {
    /** A barrier arrived and others are awaited: its channel is blocked. */
    BLOCKED,

    /** The event made a checkpoint ready (or the trigger found it so): the task snapshots. */
    SNAPSHOT,

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

    /** Ignored: announcements have no meaning where barriers are always aligned. */
    IGNORED_ALIGNED_MODE,

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
