/** What can be read from outside: a job's state, counters and checkpoint figures. Touches nothing; any thread. */
package io.weir.engine.status;
