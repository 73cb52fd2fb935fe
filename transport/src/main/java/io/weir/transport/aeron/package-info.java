/**
 * Channels over Aeron: an exclusive publication per channel, and a control stream per downstream task with a session per
 * upstream. Opening and closing happen on the job's thread, reading and writing on one task's thread per end.
 */
package io.weir.transport.aeron;
