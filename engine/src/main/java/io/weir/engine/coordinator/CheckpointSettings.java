package io.weir.engine.coordinator;

/**
 * When and how many checkpoints are taken.
 *
 * @param intervalNs between periodic triggers, or {@link #NO_INTERVAL} for none but the manual and final ones.
 * @param timeoutNs from a checkpoint's trigger to its last acknowledgement, positive.
 * @param minPauseNs from the end of a checkpoint to the next periodic trigger, at least 0. A positive one keeps periodic
 *     checkpoints from overlapping others. Manual, final and last ones don't wait for it.
 * @param maxConcurrent checkpoints between trigger and end, at least 1; all kinds count.
 * @param tolerableFailures in a row, at least 0; one more fails the job.
 * @param retained completed checkpoints to keep, at least 1.
 */
public record CheckpointSettings(
        long intervalNs, long timeoutNs, long minPauseNs, int maxConcurrent, int tolerableFailures, int retained) {
    /** No periodic checkpoints. */
    public static final long NO_INTERVAL = 0;

    /** Checks the ranges. */
    public CheckpointSettings {
        requireAtLeast(0, intervalNs, "intervalNs");
        requireAtLeast(1, timeoutNs, "timeoutNs");
        requireAtLeast(0, minPauseNs, "minPauseNs");
        requireAtLeast(1, maxConcurrent, "maxConcurrent");
        requireAtLeast(0, tolerableFailures, "tolerableFailures");
        requireAtLeast(1, retained, "retained");
    }

    private static void requireAtLeast(long least, long value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " must be >= " + least);
        }
    }
}
