package io.weir.storage.inspect;

import io.weir.storage.state.CodecText;

/**
 * A state or the timers of an operator, in one task's part of a checkpoint.
 *
 * @param isTimers whether it is timers.
 * @param name as in {@code StateDescriptor}: {@code uid/state}.
 * @param keyCodec text of the codec of its keys (see {@link CodecText}), empty for timers of a checkpoint that does not tell it.
 * @param valueCodec text of the codec of its values, empty for timers.
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
        boolean isIntact) {
    /**
     * The version of the codec of its keys.
     *
     * @return at least 1; of a map that of the map's keys.
     */
    public int keyVersion() {
        return CodecText.parse(keyCodec).version();
    }

    /**
     * The version of the codec of its values.
     *
     * @return at least 1.
     */
    public int valueVersion() {
        return CodecText.parse(valueCodec).version();
    }
}
