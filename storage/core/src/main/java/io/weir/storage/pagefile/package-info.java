/**
 * State pages on disk: a segment file holds the lines of pages that changed between two cuts, a chain of segments is a task's
 * state, and an image tells the newest content of one key group's pages. Knows nothing of what is in a page. May touch {@code
 * storage.file} and {@code storage.snapshot}. Writing and opening: I/O threads, may block. Images: any thread.
 */
package io.weir.storage.pagefile;
