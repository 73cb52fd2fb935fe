/**
 * Logs in and logs out: the service interfaces of replayable and transactional logs, and plain files and CSV. May touch
 * {@code storage.file}. Readers and {@code append} run on task threads; what may block says so and runs on an I/O thread.
 */
package io.weir.storage.log;
