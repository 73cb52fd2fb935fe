package io.weir.storage.inspect;

/**
 * A segment that a task's part of a checkpoint rests on.
 *
 * @param name from the job's folder on.
 * @param bytes as the manifest says, or as the file has where that is lost.
 * @param entries as the manifest says, pages in a shared segment; -1 where that is lost.
 * @param isIntact whether nothing of it is damaged.
 */
public record InspectedFile(String name, long bytes, long entries, boolean isIntact) {}
