package io.weir.storage.pagefile;

import io.weir.storage.snapshot.FieldWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.collections.IntArrayList;

/** Gathers the index of a segment while it is written. */
final class PageIndexBuilder {
    private final Map<String, String> tables = new LinkedHashMap<>();
    /** Per group: table, key group, records, blocks. */
    private final IntArrayList groups = new IntArrayList();
    /** Per block: payload length, checksum. */
    private final IntArrayList blocks = new IntArrayList();

    private long records;

    int tables() {
        return tables.size();
    }

    long records() {
        return records;
    }

    boolean addTable(final String table, final String attributes) {
        return tables.putIfAbsent(table, attributes) == null;
    }

    void beginGroup(final int table, final int keyGroup) {
        groups.addInt(table);
        groups.addInt(keyGroup);
        groups.addInt(0);
        groups.addInt(0);
    }

    void addBlock(final int blockRecords, final int payloadLength, final int checksum) {
        final int last = groups.size();
        groups.setInt(last - 2, groups.getInt(last - 2) + blockRecords);
        groups.setInt(last - 1, groups.getInt(last - 1) + 1);
        blocks.addInt(payloadLength);
        blocks.addInt(checksum);
        records += blockRecords;
    }

    byte[] bytes() {
        final FieldWriter out = new FieldWriter();
        out.putInt(tables.size());
        tables.forEach((table, attributes) -> out.putString(table).putString(attributes));
        out.putInt(groups.size() / 4);
        int block = 0;
        for (int group = 0; group < groups.size(); group += 4) {
            for (int field = 0; field < 4; field++) {
                out.putInt(groups.getInt(group + field));
            }
            for (final int end = block + 2 * groups.getInt(group + 3); block < end; block++) {
                out.putInt(blocks.getInt(block));
            }
        }
        return out.fields();
    }
}
