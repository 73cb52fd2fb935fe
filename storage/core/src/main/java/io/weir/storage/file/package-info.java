/** The only room that maps, forces and renames files: one seam, so that tests can tear, lose and fill up the disk. */
package io.weir.storage.file;
