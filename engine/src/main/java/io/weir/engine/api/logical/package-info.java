/** The logical graph that a pipeline gathers: steps, their inputs and settings. Read by the planner; any thread. */
package io.weir.engine.api.logical;
