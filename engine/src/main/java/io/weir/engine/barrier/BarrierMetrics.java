package io.weir.engine.barrier;

/**
 * What a checkpoint cost one task, as far as its barriers tell. Times are at least 0.
 *
 * @param startDelayNs from the trigger at the coordinator to the first announcement or barrier here.
 * @param alignmentTimeNs from the first announcement or barrier here to the last.
 * @param bytesProcessed of records in that time, as the task told by {@link BarrierHandler#onProcessed(long)}.
 * @param bytesPersisted as channel state, of inputs and outputs together.
 * @param syncTimeNs of the cut itself.
 * @param channelStateTimeNs from the end of the cut until channel state was closed: a part of the asynchronous time.
 * @param unaligned whether the barrier overtook data here.
 */
public record BarrierMetrics(
        long startDelayNs,
        long alignmentTimeNs,
        long bytesProcessed,
        long bytesPersisted,
        long syncTimeNs,
        long channelStateTimeNs,
        boolean unaligned) {}
