package io.weir.storage.inspect;

/**
 * What a task keeps besides keyed state and timers, such as the list of an operator.
 *
 * @param name of the section.
 * @param attributes as written.
 * @param entries that are intact.
 * @param bytes of it in the segment.
 * @param isIntact whether nothing of it is damaged.
 */
public record InspectedSection(String name, String attributes, long entries, long bytes, boolean isIntact) {}
