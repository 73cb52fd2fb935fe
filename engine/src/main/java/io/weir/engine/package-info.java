/** The door: {@link io.weir.engine.Weir} launches an engine, which runs pipelines as {@link io.weir.engine.Job}s. */
package io.weir.engine;
