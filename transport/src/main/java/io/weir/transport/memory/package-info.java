/**
 * Channels in plain memory, for simulation and tests: bounded, deterministic, all on one thread. A scheduler can hold
 * frames back and make outputs block, link by link.
 */
package io.weir.transport.memory;
