/**
 * The command line: {@code weir run}, what asks and stops a run, {@code weir checkpoints}, {@code weir inspect}, {@code weir demo}
 * and what they share. Touches the API, the launch of the engine, the control of running jobs, the jobs and the checkpoint
 * inspection; the only room that sees picocli. The main thread runs a command, a shutdown
 * hook stops it on a signal.
 */
package io.weir.engine.cli;
