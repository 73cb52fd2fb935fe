/** Sinks: two-phase commit to a transactional log. Touches operator and the faces of logs; task thread, I/O by the context. */
package io.weir.engine.sink;
