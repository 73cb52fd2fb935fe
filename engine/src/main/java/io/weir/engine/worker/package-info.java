/**
 * Worker threads: each runs many tasks round robin, pumps the media driver when it stalls, and is pinned when asked. They are watched,
 * so that a task which does not return does not keep its job in silence, nor the other tasks from running.
 */
package io.weir.engine.worker;
