/**
 * Replayable and transactional logs on Chronicle Queue: the only room that sees Chronicle. May touch {@code storage.log}
 * and {@code storage.file}. Reading and {@code append} run on task threads; committing runs on an I/O thread, one commit at
 * a time per queue.
 */
package io.weir.storage.chronicle;
