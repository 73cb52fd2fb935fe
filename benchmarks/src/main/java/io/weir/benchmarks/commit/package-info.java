/**
 * Exactly-once output under load: how soon it can be read, and how soon again after failures. Touches the engine's API and the
 * Chronicle log.
 */
package io.weir.benchmarks.commit;
