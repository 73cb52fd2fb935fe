package io.weir.storage.inspect;

/**
 * A state or the timers of an operator, in one task's part of a checkpoint.
 *
 * @param isTimers whether it is timers.
 * @param name as in {@code StateDescriptor}: {@code uid/state}.
 * @param keyCodec signature of the codec of its keys, empty for timers.
 * @param valueCodec signature of the codec of its values, empty for timers.
 * @param keyGroups that have entries.
 * @param entries that are intact.
 * @param bytes of them in the segment, or of the pages that they lie in.
 * @param isIntact whether nothing of it is damaged.
 */
public record InspectedTable(
        boolean isTimers,
        String name,
        String keyCodec,
        String valueCodec,
        int keyGroups,
        long entries,
        long bytes,
        boolean isIntact) {}
