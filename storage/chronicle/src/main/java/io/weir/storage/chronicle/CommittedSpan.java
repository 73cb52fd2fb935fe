package io.weir.storage.chronicle;

/**
 * Committed records of one file of the queue that stand one behind the other, and what they must be.
 *
 * @param firstIndex of them.
 * @param lastIndex of them.
 * @param checksum of all, see {@link RecordChecksum}.
 */
record CommittedSpan(long firstIndex, long lastIndex, int checksum) {}
