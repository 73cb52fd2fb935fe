/** Layouts of frames and records as flyweights over buffers; pure, no I/O, any thread that owns the buffer. */
package io.weir.transport.frame;
