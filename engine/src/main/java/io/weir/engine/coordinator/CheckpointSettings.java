package io.weir.engine.coordinator;

/**
 * When and how many checkpoints are taken.
 *
 * @param intervalNs between periodic triggers, or {@link #NO_INTERVAL} for none but the manual and final ones.
 * @param timeoutNs from a checkpoint's trigger to its last acknowledgement, positive.
 * @param minPauseNs from the end of a checkpoint to the next periodic trigger, at least 0. A positive one keeps periodic
 *     checkpoints from overlapping others. Manual, final and last ones don't wait for it.
 * @param maxConcurrent checkpoints between trigger and end, at least 1; savepoints count if they wait.
 * @param tolerableFailures in a row, at least 0; one more fails the job.
 * @param retained completed checkpoints to keep, at least 1.
 * @param backlogIntervalNs between periodic triggers while a source is still catching up, at least {@code intervalNs}; {@link
 *     #NO_INTERVAL} for none meanwhile, equal to {@code intervalNs} for no difference.
 * @param savepointsWait whether a savepoint takes a slot like a checkpoint, since barriers of checkpoints may overtake data and its
 *     own must not; else it is taken at once, however many are under way.
 * @param retainedAtCancel whether the completed checkpoints outlive a cancelled job.
 */
public record CheckpointSettings(
        long intervalNs,
        long timeoutNs,
        long minPauseNs,
        int maxConcurrent,
        int tolerableFailures,
        int retained,
        long backlogIntervalNs,
        boolean savepointsWait,
        boolean retainedAtCancel) {
    /** No periodic checkpoints. */
    public static final long NO_INTERVAL = 0;

    /**
     * Settings without a difference for backlog, with savepoints at once, and checkpoints that outlive a cancelled job.
     *
     * @param intervalNs between periodic triggers, or {@link #NO_INTERVAL}.
     * @param timeoutNs from a checkpoint's trigger to its last acknowledgement, positive.
     * @param minPauseNs from the end of a checkpoint to the next periodic trigger, at least 0.
     * @param maxConcurrent checkpoints between trigger and end, at least 1.
     * @param tolerableFailures in a row, at least 0.
     * @param retained completed checkpoints to keep, at least 1.
     */
    public CheckpointSettings(
            long intervalNs, long timeoutNs, long minPauseNs, int maxConcurrent, int tolerableFailures, int retained) {
        this(intervalNs, timeoutNs, minPauseNs, maxConcurrent, tolerableFailures, retained, intervalNs, false, true);
    }

    /** Checks the ranges. */
    public CheckpointSettings {
        requireAtLeast(0, intervalNs, "intervalNs");
        requireAtLeast(1, timeoutNs, "timeoutNs");
        requireAtLeast(0, minPauseNs, "minPauseNs");
        requireAtLeast(1, maxConcurrent, "maxConcurrent");
        requireAtLeast(0, tolerableFailures, "tolerableFailures");
        requireAtLeast(1, retained, "retained");
        if (backlogIntervalNs != NO_INTERVAL) {
            requireAtLeast(intervalNs, backlogIntervalNs, "backlogIntervalNs");
        }
    }

    private static void requireAtLeast(long least, long value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " must be >= " + least);
        }
    }
}
