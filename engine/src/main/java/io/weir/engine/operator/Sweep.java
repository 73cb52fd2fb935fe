package io.weir.engine.operator;

import io.weir.storage.state.ValueTable;

/**
 * Looks through a state for what has expired, in slices between records: passes over a table, begun eight times in a
 * time-to-live, so that what has expired takes little more room than what has not. Task thread only.
 */
final class Sweep {
    private static final long PASSES_PER_TTL = 8;

    private final ValueTable table;
    private final ValueTable.Visitor visitor;
    private final long intervalNs;
    private long cursor = ValueTable.SCAN_END;
    private long nextPassNs = Long.MIN_VALUE;

    /** The visitor removes from the table, and perhaps others, what has expired of the entry it is given. */
    Sweep(final ValueTable table, final ValueTable.Visitor visitor, final TimeToLive ttl) {
        this.table = table;
        this.visitor = visitor;
        intervalNs = Math.max(1, ttl.expiry().ttlNs() / PASSES_PER_TTL);
    }

    void run(final long nowNs, final int maxEntries) {
        if (cursor == ValueTable.SCAN_END) {
            if (nowNs < nextPassNs) {
                return;
            }
            nextPassNs = nowNs + intervalNs;
            cursor = ValueTable.SCAN_BEGIN;
        }
        cursor = table.scan(cursor, maxEntries, visitor);
    }
}
