/**
 * Keyed state and timers of one task as bytes, by (state, key group), behind the {@code StateBackend} service interface, and
 * the canonical form in which every backend writes them. May touch {@code storage.page} and the faces of {@code
 * storage.snapshot}. Task thread, but for what a frozen snapshot writes.
 */
package io.weir.storage.state;
