package io.weir.storage.page;

import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.state.StateFormat;
import io.weir.storage.state.StoreContext;
import java.util.Comparator;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the state that chains of segments hold in canonical form, without what has expired, one key group of one table in
 * memory at a time. I/O thread.
 */
final class CanonicalWriter {
    private final StoreContext context;
    private final RestoredChains chains;
    private final CutTime cutTime;
    private final PageEntries entries;
    private final UnsafeBuffer entry = new UnsafeBuffer(new byte[256]);

    CanonicalWriter(final StoreContext context, final RestoredChains chains, final CutTime cutTime) {
        this.context = context;
        this.chains = chains;
        this.cutTime = cutTime;
        entries = new PageEntries(chains);
    }

    /** Writes all tables, values before timers, as every backend does. */
    void writeTo(final SegmentWriter writer, final List<TableName> tables) {
        tables.stream()
                .filter(TableName::isKept)
                .sorted(Comparator.comparing(TableName::isTimers).thenComparing(TableName::section))
                .forEach(table -> writeTable(writer, table));
    }

    private void writeTable(final SegmentWriter writer, final TableName table) {
        writer.beginSection(table.section(), table.attributes());
        for (int keyGroup = context.firstKeyGroup(); keyGroup < context.endKeyGroup(); keyGroup++) {
            if (!chains.isEmpty(table.section(), keyGroup)) {
                writeGroup(writer, table, keyGroup);
            }
        }
    }

    private void writeGroup(final SegmentWriter writer, final TableName table, final int keyGroup) {
        if (table.isTimers()) {
            entries.forEachTimer(table.section(), keyGroup, (owner, time, key) -> {
                final int length = StateFormat.timerEntryLength(key.capacity());
                ensure(length);
                StateFormat.putTimerEntry(entry, 0, time, key);
                writer.entry(owner, entry, 0, length);
            });
        } else {
            entries.forEachValue(table.section(), keyGroup, (owner, key, value) -> {
                if (cutTime.hasExpired(table.name(), value)) {
                    return;
                }
                final int length = StateFormat.valueEntryLength(key.capacity(), value.capacity());
                ensure(length);
                StateFormat.putValueEntry(entry, 0, key, value);
                writer.entry(owner, entry, 0, length);
            });
        }
    }

    private void ensure(final int length) {
        if (entry.capacity() < length) {
            entry.wrap(new byte[Math.max(length, 2 * entry.capacity())]);
        }
    }
}
