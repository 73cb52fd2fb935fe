package io.weir.storage.snapshot;

/**
 * A line of a segment's index.
 *
 * @param name of the section.
 * @param attributes as written.
 * @param start position of its first block in the file.
 * @param end position behind its last block.
 * @param entries in it.
 */
record IndexedSection(String name, String attributes, long start, long end, long entries) {}
