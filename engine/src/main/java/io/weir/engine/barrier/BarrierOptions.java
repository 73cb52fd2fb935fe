package io.weir.engine.barrier;

/**
 * The options that travel with a trigger, a barrier and an announcement: how this checkpoint's barriers treat the data
 * before them. An int, opaque to the transport.
 *
 * <pre>
 *   31   6        5      4               3           2          1             0
 *   +-----+--------+------+---------------+-----------+----------+-------------+
 *   | 0   | native | last | position fixed| savepoint | overtakes| may overtake|
 *   +-----+--------+------+---------------+-----------+----------+-------------+
 * </pre>
 */
public final class BarrierOptions {
    /** A checkpoint that is always aligned. */
    public static final int ALIGNED = 0;

    /** Aligned until the alignment timeout, unaligned from then on. */
    public static final int ALIGNED_WITH_TIMEOUT = 1;

    /** The barrier overtakes data, from the start or since the timeout ran out upstream. */
    public static final int UNALIGNED = 2;

    /** A savepoint: aligned, whatever the job's setting. */
    public static final int SAVEPOINT = 4;

    private static final int POSITION_FIXED = 8;
    private static final int LAST = 16;
    private static final int NATIVE = 32;

    private BarrierOptions() {}

    /**
     * Tells whether the barrier overtakes data.
     *
     * @param options of a barrier.
     * @return whether it does now.
     */
    public static boolean isUnaligned(int options) {
        return (options & UNALIGNED) != 0;
    }

    /**
     * Tells whether channel state can belong to the checkpoint.
     *
     * @param options of a barrier.
     * @return whether it overtakes data, or will past the alignment timeout.
     */
    public static boolean mayOvertake(int options) {
        return (options & (ALIGNED_WITH_TIMEOUT | UNALIGNED)) != 0;
    }

    /**
     * Tells whether the barrier is a savepoint's.
     *
     * @param options of a barrier.
     * @return whether it is.
     */
    public static boolean isSavepoint(int options) {
        return (options & SAVEPOINT) != 0;
    }

    /**
     * The same checkpoint, as the one behind which the job stops.
     *
     * @param options of a checkpoint.
     * @return options that have tasks do nothing after their cut, unless the checkpoint is aborted.
     */
    public static int last(int options) {
        return options | LAST;
    }

    /**
     * Tells whether the job stops behind the checkpoint.
     *
     * @param options of a barrier.
     * @return whether a task is to do nothing after its cut.
     */
    public static boolean isLast(int options) {
        return (options & LAST) != 0;
    }

    /**
     * The same savepoint, with state in the backend's own form instead of the canonical one.
     *
     * @param options of a savepoint.
     * @return options of a native one.
     */
    public static int nativeForm(int options) {
        return options | NATIVE;
    }

    /**
     * Tells in which form a savepoint is written.
     *
     * @param options of a barrier.
     * @return whether state is written in the backend's own form.
     */
    public static boolean isNativeForm(int options) {
        return (options & NATIVE) != 0;
    }

    /**
     * The same checkpoint, past its alignment timeout.
     *
     * @param options of a checkpoint that may overtake.
     * @return options that overtake.
     */
    public static int unaligned(int options) {
        return options | UNALIGNED;
    }

    /**
     * For an announcement whose position is where the data before the barrier ends. Without it the data ends there or
     * later: the barrier waits behind unsent frames, or for the rest of a record that was sent by half.
     *
     * @param options of the barrier.
     * @return options for its announcement.
     */
    public static int positionFixed(int options) {
        return options | POSITION_FIXED;
    }

    /**
     * The options of the barrier that was announced: where it belongs concerns its own channel only.
     *
     * @param options of an announcement.
     * @return options of the barrier.
     */
    public static int announced(int options) {
        return options & ~POSITION_FIXED;
    }

    /**
     * Tells whether an announced position is final.
     *
     * @param options of an announcement.
     * @return whether the data before the barrier ends at the announced position.
     */
    public static boolean isPositionFixed(int options) {
        return (options & POSITION_FIXED) != 0;
    }
}
