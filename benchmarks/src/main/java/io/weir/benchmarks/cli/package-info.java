/** {@code weir bench}: starts the benchmarks, and tells what they ran on. May touch every room of this module. */
package io.weir.benchmarks.cli;
