/**
 * Where checkpoints are kept: the {@code CheckpointStorage} service interface, in memory and in files. May touch
 * {@code storage.snapshot}, {@code storage.pagefile} (to compare what is copied) and {@code storage.file}. I/O threads.
 */
package io.weir.storage.checkpoint;
