package io.weir.engine.barrier;

/** What a barrier, an announcement and a trigger say of their checkpoint. */
record BarrierMark(long checkpointId, long triggerTimeNs, int options) {}
