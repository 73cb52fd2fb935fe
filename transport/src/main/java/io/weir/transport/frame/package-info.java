/**
 * Layouts of frames and records as flyweights over buffers. Pure: sees Agrona only, does no I/O, and runs on any thread
 * that owns the buffer. Every layout is drawn once, above its offsets; nobody else counts bytes.
 */
package io.weir.transport.frame;
