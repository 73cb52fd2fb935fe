package io.weir.engine.task;

import io.weir.engine.barrier.BarrierMetrics;

/**
 * What one checkpoint cost one task. Times are at least 0.
 *
 * @param barriers as its barriers tell, but for the times below.
 * @param syncTimeNs that the cut took on the task's thread.
 * @param asyncTimeNs from the end of the cut until its part was durable.
 */
public record CheckpointMetrics(BarrierMetrics barriers, long syncTimeNs, long asyncTimeNs) {}
