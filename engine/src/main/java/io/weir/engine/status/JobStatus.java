package io.weir.engine.status;

import java.util.List;
import java.util.SortedMap;

/**
 * A job at one moment.
 *
 * @param jobName of the job.
 * @param state where it stands.
 * @param attempt execution attempt, rising over the job's life, also over processes; 0 before the first.
 * @param restoredCheckpointId that the attempt began with, 0 if it began empty.
 * @param failure why the job failed for good, in one line; null unless it did.
 * @param restarts the newest of this process, at most {@link RestartHistory#KEPT}, the oldest first.
 * @param restartCount number of all restarts of this process.
 * @param checkpoints figures of this process.
 * @param counters over all tasks of the attempt by {@code uid/name}, such as {@code source/records} (those that were read, without
 *     skipped ones) or {@code window/late}.
 * @param skippedRecords that sources could not read and were told to skip: each once over the job's life, also over processes.
 * @param firstSkipped places and reasons of the first of those that this process skipped.
 */
public record JobStatus(
        String jobName,
        JobState state,
        long attempt,
        long restoredCheckpointId,
        String failure,
        List<Restart> restarts,
        long restartCount,
        CheckpointStatus checkpoints,
        SortedMap<String, Long> counters,
        long skippedRecords,
        List<String> firstSkipped) {

    /** Copies the lists. */
    public JobStatus {
        restarts = List.copyOf(restarts);
        firstSkipped = List.copyOf(firstSkipped);
    }

    /**
     * One restart.
     *
     * @param attempt that failed.
     * @param cause why, in one line.
     * @param restoredCheckpointId that the next attempt began with, 0 if it began empty or could not begin.
     * @param downtimeNs from the failure until all tasks ran again, 0 as long as they don't.
     */
    public record Restart(long attempt, String cause, long restoredCheckpointId, long downtimeNs) {}
}
