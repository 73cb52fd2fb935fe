/**
 * Decides what a task does about barriers: which channels to block, when to snapshot, what to forward. Pure state
 * machines: an event and {@code nowNs} in, {@link io.weir.engine.barrier.BarrierAction}s out; no I/O, no thread, no clock.
 * The task carries the actions out in the order given. Touches nothing but the JDK. Runs on the task's thread; states
 * and counts may be read from any thread.
 *
 * <p>All times are epoch nanoseconds of one clock, the one that the coordinator's trigger times are read from, so that
 * start delays can be told. See {@code DESIGN.md} section 4.
 */
package io.weir.engine.barrier;
