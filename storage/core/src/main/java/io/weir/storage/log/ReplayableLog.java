package io.weir.storage.log;

import java.util.List;

/**
 * A partitioned log that can be read again from any position: the raw material of a source (DESIGN section 8).
 *
 * <p>The partitions of a log keep their index for ever; new ones may only be added behind the last.
 */
public interface ReplayableLog {
    /** The position before the first record of any partition. */
    long START = 0;

    /**
     * Names the log in errors and in the job's status.
     *
     * @return a name such as the path of its file or folder.
     */
    String name();

    /**
     * Lists the partitions. May block: called while a job opens, never on a task's hot path.
     *
     * @return the partitions' names in index order, at least one.
     * @throws LogException if the log is missing or can't be read.
     */
    List<String> partitions();

    /**
     * Opens a partition for reading. May block.
     *
     * @param partition index in {@link #partitions()}.
     * @param position {@link #START}, or a position that a reader of this partition reported.
     * @return a reader that next reads the record at that position.
     * @throws LogException if the log is missing, can't be read, or does not reach the position.
     */
    LogReader open(int partition, long position);
}
