/** Event time: merging watermarks and keeping timers. Touches the faces of state; task thread, reads no clock. */
package io.weir.engine.time;
