/**
 * The only room that maps, forces, renames and locks files: one seam, {@link io.weir.storage.file.FileStore}, so that tests
 * can tear, lose and fill up the disk. Touches nothing of ours. I/O threads: almost every call may block.
 */
package io.weir.storage.file;
