/** Moves frames between tasks: channels, gates and the transports that open them. */
package io.weir.transport;
