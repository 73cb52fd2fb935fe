package io.weir.storage.pagefile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of a page segment, version 1, little-endian, without any padding:
 *
 * <pre>
 *   file:    header | block | block | ... | index | footer
 *
 *   header:  0        8         12        16
 *            +--------+---------+---------+
 *            | magic  | version | CRC-32C |              checksum of [0, 12)
 *            +--------+---------+---------+
 *
 *   block:   0          8       12          16       20        24      28        32
 *            +----------+-------+-----------+--------+---------+-------+---------+---------+
 *            | position | table | key group | length | records | magic | CRC-32C | payload |
 *            +----------+-------+-----------+--------+---------+-------+---------+---------+
 *            position in the file, number of its table, length of the payload; checksum of [0, 28) and the payload
 *
 *   payload: records by rising page number, each
 *            0                          4
 *            +--------------------------+---------+-----------------+
 *            | page number | form &lt;&lt; 29  | lines   | 64 bytes a line |
 *            +--------------------------+---------+-----------------+
 *
 *            form            lines                  means
 *            0 FULL          none                   all 64 lines, whatever older segments say
 *            1 ONE_LINE      number (1)             that line
 *            2 TWO_LINES     numbers (1, 1)         those lines, the lower one first
 *            3 SOME_LINES    mask (8)               the lines whose bits are set, 3 to 63 of them, from the lowest on
 *            4 GONE          none                   the page is not there any more
 *            5 SPARSE        mask (8)               as FULL, but lines whose bits are not set are zero and left out
 *
 *   index:   tables (4), per table name (string), attributes (string);
 *            groups (4), per group table (4), key group (4), records (4), blocks (4), per block length of its payload (4)
 *            and CRC-32C (4). Groups rise by table and key group; blocks stand in the file in this order without gaps.
 *
 *   footer:  0          8        12        16        24      32        36        40
 *            +----------+--------+---------+---------+-------+---------+---------+
 *            | position | length | CRC-32C | records | magic | version | CRC-32C |
 *            +----------+--------+---------+---------+-------+---------+---------+
 *            position, length and checksum of the index; checksum of [0, 36)
 * </pre>
 *
 * The index repeats the checksum of every block, so the one of index and footer, which is kept elsewhere, vouches for all.
 */
public final class PageFormat {
    /** Bytes of a page. */
    public static final int PAGE_LENGTH = 4096;

    /** Bytes of a line. */
    public static final int LINE_LENGTH = 64;

    /** The largest page number. */
    public static final int MAX_PAGE_NUMBER = (1 << 29) - 1;

    static final int VERSION = 1;
    // "WEIRPAGE" and "WEIRPEND" read as little-endian longs, "PBLK" as an int.
    static final long MAGIC = 0x4547415052494557L;
    static final long FOOTER_MAGIC = 0x444E455052494557L;
    static final int BLOCK_MAGIC = 0x4B4C4250;

    static final int HEADER_VERSION = 8;
    static final int HEADER_CHECKSUM = 12;
    static final int HEADER_LENGTH = 16;

    static final int BLOCK_POSITION = 0;
    static final int BLOCK_TABLE = 8;
    static final int BLOCK_KEY_GROUP = 12;
    static final int BLOCK_PAYLOAD_LENGTH = 16;
    static final int BLOCK_RECORDS = 20;
    static final int BLOCK_MAGIC_OFFSET = 24;
    static final int BLOCK_CHECKSUM = 28;
    static final int BLOCK_HEADER_LENGTH = 32;

    static final int FORM_SHIFT = 29;
    static final int FULL = 0;
    static final int ONE_LINE = 1;
    static final int TWO_LINES = 2;
    static final int SOME_LINES = 3;
    static final int GONE = 4;
    static final int SPARSE = 5;

    static final int RECORD_LINES = 4;
    static final int MIN_RECORD_LENGTH = RECORD_LINES;
    static final int MAX_RECORD_LENGTH = RECORD_LINES + PAGE_LENGTH;
    static final int LINES = PAGE_LENGTH / LINE_LENGTH;
    static final long ALL_LINES = -1L;

    static final int FOOTER_INDEX_POSITION = 0;
    static final int FOOTER_INDEX_LENGTH = 8;
    static final int FOOTER_INDEX_CHECKSUM = 12;
    static final int FOOTER_RECORDS = 16;
    static final int FOOTER_MAGIC_OFFSET = 24;
    static final int FOOTER_VERSION = 32;
    static final int FOOTER_CHECKSUM = 36;
    static final int FOOTER_LENGTH = 40;

    /** A block ends behind the record that brings its payload to this length. */
    static final int BLOCK_FULL = 32 * 1024;

    static final int MAX_PAYLOAD_LENGTH = BLOCK_FULL - 1 + MAX_RECORD_LENGTH;
    static final int MAX_BLOCK_LENGTH = BLOCK_HEADER_LENGTH + MAX_PAYLOAD_LENGTH;

    static final int MIN_INDEXED_TABLE_LENGTH = 2 * Integer.BYTES;
    static final int MIN_INDEXED_GROUP_LENGTH = 4 * Integer.BYTES;
    static final int INDEXED_BLOCK_LENGTH = 2 * Integer.BYTES;

    private PageFormat() {}

    static byte[] header() {
        final ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC).putInt(HEADER_VERSION, VERSION);
        header.putInt(HEADER_CHECKSUM, checksum(header.slice(0, HEADER_CHECKSUM)));
        return header.array();
    }

    static byte[] footer(final long indexPosition, final byte[] index, final long records) {
        final ByteBuffer footer = ByteBuffer.allocate(FOOTER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        footer.putLong(FOOTER_INDEX_POSITION, indexPosition)
                .putInt(FOOTER_INDEX_LENGTH, index.length)
                .putInt(FOOTER_INDEX_CHECKSUM, checksum(ByteBuffer.wrap(index)))
                .putLong(FOOTER_RECORDS, records)
                .putLong(FOOTER_MAGIC_OFFSET, FOOTER_MAGIC)
                .putInt(FOOTER_VERSION, VERSION);
        footer.putInt(FOOTER_CHECKSUM, checksum(footer.slice(0, FOOTER_CHECKSUM)));
        return footer.array();
    }

    /** The mask of a line, up to 64, and all behind it. */
    static long linesFrom(final int line) {
        return line == LINES ? 0 : ALL_LINES << line;
    }

    /** Of the bytes of all parts, whose positions stay. */
    static int checksum(final ByteBuffer... parts) {
        final CRC32C checksum = new CRC32C();
        for (final ByteBuffer part : parts) {
            checksum.update(part.duplicate());
        }
        return (int) checksum.getValue();
    }
}
