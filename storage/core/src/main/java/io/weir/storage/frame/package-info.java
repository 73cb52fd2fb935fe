/**
 * The memory of state pages: frames of 4 KiB, cut from slabs of direct memory or of a mapped scratch file, and reused. Knows
 * nothing of what is in them. Touches the file seam, and says with the errors of state when there is no memory left. One thread
 * at a time.
 */
package io.weir.storage.frame;
