package io.weir.engine.coordinator;

import java.util.List;

/**
 * What earlier runs of a job left behind.
 *
 * @param nextCheckpointId the first id to use: greater than every id ever used by the job, also of checkpoints that were
 *     never completed, for ids are never used twice.
 * @param completedIds of the retained completed checkpoints, rising.
 */
public record CheckpointHistory(long nextCheckpointId, List<Long> completedIds) {
    /** Stands for the id of a checkpoint where there is none. */
    public static final long NO_CHECKPOINT = -1;

    /** Checks that ids rise and the next is beyond them. */
    public CheckpointHistory {
        completedIds = List.copyOf(completedIds);
        long last = NO_CHECKPOINT;
        for (long id : completedIds) {
            if (id <= last) {
                throw new IllegalArgumentException("completedIds=" + completedIds + " must be >= 0 and rise");
            }
            last = id;
        }
        if (nextCheckpointId <= last) {
            throw new IllegalArgumentException("nextCheckpointId=" + nextCheckpointId + " must be > " + last);
        }
    }

    /**
     * The history of a job that never ran: ids start at 1.
     *
     * @return no completed checkpoints.
     */
    public static CheckpointHistory none() {
        return new CheckpointHistory(1, List.of());
    }
}
