package io.weir.engine.status;

/**
 * What one completed checkpoint cost one task. Times are at least 0.
 *
 * @param task for people, such as {@code window (2/4)}.
 * @param startDelayNs from the trigger until the task first heard of it, by a barrier or its announcement.
 * @param alignmentNs from then until the last of its barriers came.
 * @param bytesProcessed of records in that time.
 * @param bytesPersisted of records in flight that are part of the checkpoint.
 * @param syncNs that the cut took on the task's thread.
 * @param channelStateNs from the cut until all records in flight were captured; 0 where none had to be.
 * @param asyncNs from the cut until the task's part was durable.
 * @param unaligned whether the barrier overtook data at the task.
 */
public record TaskCheckpoint(
        String task,
        long startDelayNs,
        long alignmentNs,
        long bytesProcessed,
        long bytesPersisted,
        long syncNs,
        long channelStateNs,
        long asyncNs,
        boolean unaligned) {}
