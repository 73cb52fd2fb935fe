/**
 * A whole job on one thread, under a seeded scheduler (DESIGN section 9): the real tasks, coordinator and recovery over channels in
 * memory, a simulated clock and a simulated disk. The seed says which task runs, which frame is late, which output blocks, what
 * crashes and which write is lost; the output is compared with a plain model. Touches all rooms of the engine that run a job.
 */
package io.weir.engine.simulation;
