/** Benchmarks of whole pipelines on a real engine. */
package io.weir.benchmarks.engine;
