package io.weir.storage.checkpoint;

/** A place for the checkpoints of many jobs. */
public interface CheckpointStorage {
    /**
     * Names the place in errors.
     *
     * @return for example the folder.
     */
    String location();

    /**
     * Opens one job's store for writing and claims it for this process, until it is closed or the process dies. May block.
     * Sweeps what no completed checkpoint needs.
     *
     * @param jobName of the job.
     * @return the job's store.
     * @throws CheckpointStorageException if the place can't be written, belongs to another job, or is claimed by a running
     *     process; it says which.
     */
    CheckpointStore open(String jobName);
}
