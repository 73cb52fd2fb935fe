package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;

/**
 * A record that came after its window had been closed.
 *
 * @param source of the record.
 * @param arrival index of its message in the source.
 * @param sub index in its message.
 * @param key of the record.
 * @param eventNs event time.
 * @param id of the record, empty for none.
 * @param windowStartNs start of the window it belongs to.
 */
public record LateRow(String source, long arrival, long sub, String key, long eventNs, String id, long windowStartNs) {
    /**
     * Late rows as bytes.
     *
     * @return a new codec.
     */
    public static Codec<LateRow> codec() {
        return Codec.ofRecord(LateRow.class);
    }

    /**
     * Makes the late row of a record.
     *
     * @param row that is late.
     * @param windowNs size of the windows.
     * @return its late row.
     */
    public static LateRow of(final Row row, final long windowNs) {
        return new LateRow(
                row.source(),
                row.arrival(),
                row.sub(),
                row.key(),
                row.eventNs(),
                row.id(),
                Math.floorDiv(row.eventNs(), windowNs) * windowNs);
    }
}
