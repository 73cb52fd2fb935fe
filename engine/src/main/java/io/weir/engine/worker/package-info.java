/** Worker threads: each runs many tasks round robin, pumps the media driver when it stalls, and is pinned when asked. */
package io.weir.engine.worker;
