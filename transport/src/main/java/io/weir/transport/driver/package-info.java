/**
 * The connection to a media driver, embedded or external: the only room that sees the driver. Opening and closing happen
 * on the job's thread; any thread may pump.
 */
package io.weir.transport.driver;
