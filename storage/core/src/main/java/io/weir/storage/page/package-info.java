/**
 * Keyed state in off-heap pages of 4 KiB, copied on write once an epoch, snapshotted by the lines that changed (DESIGN section
 * 5, docs/design/state-pages.md). {@link io.weir.storage.page.PagesStateBackend} is the door. Touches the state SPI, page
 * segments, frames and the file seam. Live pages belong to the task thread; what {@code freeze} handed over belongs to the I/O thread
 * that writes it.
 */
package io.weir.storage.page;
