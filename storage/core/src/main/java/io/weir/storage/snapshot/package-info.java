/**
 * The formats of a checkpoint: segments (one task's bytes, in checksummed blocks) and manifests (what makes a checkpoint
 * complete). May touch {@code storage.file}. I/O threads.
 */
package io.weir.storage.snapshot;
