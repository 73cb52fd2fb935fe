package io.weir.engine.status;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Checkpoint figures of a job in this process.
 *
 * @param completed number of completed checkpoints.
 * @param aborted number of checkpoints that were given up.
 * @param lastCompletedId the newest completed one, 0 before the first.
 * @param lastBytes of the newest completed one.
 * @param totalBytes of all completed ones together.
 * @param lastAbortReason why the last was given up, null before the first.
 * @param durationNs from trigger until stored, of all completed ones; a copy.
 * @param lastTasks what the newest completed one cost its tasks; empty before the first.
 */
public record CheckpointStatus(
        long completed,
        long aborted,
        long lastCompletedId,
        long lastBytes,
        long totalBytes,
        String lastAbortReason,
        Histogram durationNs,
        List<TaskCheckpoint> lastTasks) {
    /** Copies the list. */
    public CheckpointStatus {
        lastTasks = List.copyOf(lastTasks);
    }
}
