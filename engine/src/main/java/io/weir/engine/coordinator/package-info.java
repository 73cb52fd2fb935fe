/**
 * Drives a job's checkpoints: when to trigger and whom, whose acknowledgements are in, what completes, is aborted,
 * subsumed or dropped. A pure state machine: an event and {@code nowNs} in, {@link
 * io.weir.engine.coordinator.CoordinatorAction}s out; no I/O, no thread, no clock. State handles never pass through
 * here: whoever carries the actions out keeps them by task and checkpoint id. Touches nothing but the JDK. Runs on one
 * thread (the housekeeping thread in process); states and counts may be read from any thread.
 *
 * <p>All times are epoch nanoseconds of one clock that never steps back, for they are the checkpoints' trigger times as
 * well: an epoch base plus a monotonic count. See {@code DESIGN.md} section 7.
 */
package io.weir.engine.coordinator;
