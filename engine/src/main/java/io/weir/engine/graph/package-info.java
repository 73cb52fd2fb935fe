/** From the logical graph to the physical plan: chains, parallelism, edges. Touches the API; any thread. */
package io.weir.engine.graph;
