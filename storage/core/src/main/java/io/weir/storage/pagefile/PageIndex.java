package io.weir.storage.pagefile;

import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.FieldReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The index of a segment, compared with itself and with the length of the file. Immutable. */
final class PageIndex {
    static final int ABSENT = -1;

    private final String file;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> tables = new ArrayList<>();
    private final List<String> attributes = new ArrayList<>();
    private final List<Long> tablePositions = new ArrayList<>();
    /** Table and key group of each group, rising. */
    private long[] groups;

    private int[] groupRecords;
    /** Of each group, and one more: the end. */
    private int[] firstBlocks;
    /** In the file, of each block, and one more: where the index begins. */
    private long[] blockPositions;

    private int[] blockChecksums;

    private PageIndex(final String file) {
        this.file = file;
    }

    /**
     * Reads an index.
     *
     * @param file for errors.
     * @param position of the index in the file.
     * @param bytes of the index, whose checksum was compared.
     * @param records that the groups have together.
     */
    static PageIndex read(final String file, final long position, final ByteBuffer bytes, final long records) {
        final PageIndex index = new PageIndex(file);
        final FieldReader in = new FieldReader(file, position, bytes);
        index.readTables(in);
        final long found = index.readGroups(in, bytes.remaining());
        in.end();
        final long end = index.blockPositions[index.blockPositions.length - 1];
        Corruption.check(file, position, "the index begins at", end, position);
        Corruption.check(file, position, "records", records, found);
        return index;
    }

    private void readTables(final FieldReader in) {
        final int count = in.getCount(PageFormat.MIN_INDEXED_TABLE_LENGTH);
        for (int table = 0; table < count; table++) {
            final long position = in.position();
            final String name = in.getString();
            tablePositions.add(position);
            tables.add(name);
            attributes.add(in.getString());
            if (numbers.put(name, table) != null) {
                throw Corruption.at(file, position, "unique table names", "two tables " + name);
            }
        }
    }

    private long readGroups(final FieldReader in, final int indexLength) {
        final int count = in.getCount(PageFormat.MIN_INDEXED_GROUP_LENGTH);
        groups = new long[count];
        groupRecords = new int[count];
        firstBlocks = new int[count + 1];
        blockPositions = new long[indexLength / PageFormat.INDEXED_BLOCK_LENGTH + 1];
        blockChecksums = new int[blockPositions.length];
        int block = 0;
        long records = 0;
        long position = PageFormat.HEADER_LENGTH;
        for (int group = 0; group < count; group++) {
            readGroup(in, group);
            firstBlocks[group] = block;
            final long start = in.position();
            final int blocks = in.getCount(PageFormat.INDEXED_BLOCK_LENGTH);
            long payload = 0;
            for (final int end = block + blocks; block < end; block++) {
                blockPositions[block] = position;
                final int length = readPayloadLength(in);
                payload += length;
                position += PageFormat.BLOCK_HEADER_LENGTH + length;
                blockChecksums[block] = in.getInt();
            }
            checkRecords(start, groupRecords[group], blocks, payload);
            records += groupRecords[group];
        }
        firstBlocks[count] = block;
        blockPositions = Arrays.copyOf(blockPositions, block + 1);
        blockPositions[block] = position;
        blockChecksums = Arrays.copyOf(blockChecksums, block);
        return records;
    }

    private void readGroup(final FieldReader in, final int group) {
        final long position = in.position();
        final int table = in.getInt();
        final int keyGroup = in.getInt();
        if (table < 0 || table >= tables.size() || keyGroup < 0) {
            throw Corruption.at(
                    file,
                    position,
                    "one of " + tables.size() + " tables and a key group",
                    "table " + table + ", key group " + keyGroup);
        }
        groups[group] = key(table, keyGroup);
        if (group > 0 && groups[group] <= groups[group - 1]) {
            throw Corruption.at(
                    file,
                    position,
                    "rising groups",
                    "table " + table + ", key group " + keyGroup + " again or too late");
        }
        groupRecords[group] = in.getInt();
    }

    private int readPayloadLength(final FieldReader in) {
        final long position = in.position();
        final int length = in.getInt();
        if (length < PageFormat.MIN_RECORD_LENGTH || length > PageFormat.MAX_PAYLOAD_LENGTH) {
            throw Corruption.at(
                    file,
                    position,
                    "a payload of " + PageFormat.MIN_RECORD_LENGTH + " to " + PageFormat.MAX_PAYLOAD_LENGTH + " bytes",
                    length + " bytes");
        }
        return length;
    }

    private void checkRecords(final long position, final int records, final int blocks, final long payload) {
        if (blocks == 0 || records < blocks || records > payload / PageFormat.MIN_RECORD_LENGTH) {
            throw Corruption.at(
                    file,
                    position,
                    "records in every block",
                    records + " records in " + blocks + " blocks of " + payload + " bytes together");
        }
    }

    private static long key(final int table, final int keyGroup) {
        return ((long) table << Integer.SIZE) | keyGroup;
    }

    List<String> tables() {
        return tables;
    }

    String attributes(final int table) {
        return attributes.get(table);
    }

    /** Where the index names a table: its offset in the file. */
    long tablePosition(final int table) {
        return tablePositions.get(table);
    }

    /** The number of the group of a table's key group, or {@link #ABSENT}. */
    int group(final String table, final int keyGroup) {
        final Integer number = numbers.get(table);
        return number == null ? ABSENT : Math.max(ABSENT, Arrays.binarySearch(groups, key(number, keyGroup)));
    }

    int groups() {
        return groups.length;
    }

    int table(final int group) {
        return (int) (groups[group] >> Integer.SIZE);
    }

    int keyGroup(final int group) {
        return (int) groups[group];
    }

    int records(final int group) {
        return groupRecords[group];
    }

    int firstBlock(final int group) {
        return firstBlocks[group];
    }

    int endBlock(final int group) {
        return firstBlocks[group + 1];
    }

    int blocks() {
        return blockChecksums.length;
    }

    /** Where a block begins in the file; at {@link #blocks()} where the index does. */
    long blockPosition(final int block) {
        return blockPositions[block];
    }

    int blockChecksum(final int block) {
        return blockChecksums[block];
    }
}
