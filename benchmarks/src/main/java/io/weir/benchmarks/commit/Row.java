package io.weir.benchmarks.commit;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Flyweight;

/** {@code [id:long | dueNs:long | count:long]}: a record, when it was due, and which of its key it is; the input has no count. */
final class Row extends Flyweight {
    static final int LENGTH = 3 * Long.BYTES;
    static final int KEYS = 1_000;

    static Codec<Row> codec() {
        return Codecs.flyweight("Row(id:long,dueNs:long,count:long)", LENGTH, Row::new);
    }

    long id() {
        return getLong(0);
    }

    long key() {
        return id() % KEYS;
    }

    long dueNs() {
        return getLong(Long.BYTES);
    }

    long count() {
        return getLong(2 * Long.BYTES);
    }

    /** The same record with a count. */
    void set(final Row row, final long count) {
        putLong(0, row.id());
        putLong(Long.BYTES, row.dueNs());
        putLong(2 * Long.BYTES, count);
    }
}
