/**
 * Looks into checkpoints from outside, while their job may run: what there is, what is intact, the entries of a state. Claims and
 * changes nothing. Touches checkpoint folders, segments of both forms, pages and the canonical form of state. Any thread that may
 * block; an open inspection belongs to one at a time.
 */
package io.weir.storage.inspect;
