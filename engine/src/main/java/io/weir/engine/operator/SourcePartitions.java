package io.weir.engine.operator;

/** The partitions that the source at the head of a chain reads. Task thread only. */
public interface SourcePartitions {
    /**
     * The number of partitions this task reads.
     *
     * @return may be 0.
     */
    int count();

    /**
     * A partition's index in its log.
     *
     * @param ordinal in [0, {@link #count()}).
     * @return the index.
     */
    int partition(int ordinal);

    /**
     * Whether a partition has ended.
     *
     * @param ordinal in [0, {@link #count()}).
     * @return true if nothing comes from it any more.
     */
    boolean ended(int ordinal);

    /**
     * The partition of the record that is being processed.
     *
     * @return its ordinal.
     */
    int currentOrdinal();
}
