package io.weir.storage.snapshot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of a segment file, version 1, little-endian:
 *
 * <pre>
 *   file:    header | block | block | ... | index | footer
 *
 *   header:  0        8         12        16
 *            +--------+---------+---------+
 *            | magic  | version | CRC-32C |              checksum of [0, 12)
 *            +--------+---------+---------+
 *
 *   block:   0          8         12       16        20      24         28        32
 *            +----------+---------+--------+---------+-------+----------+---------+---------+
 *            | position | section | length | entries | magic | reserved | CRC-32C | payload |
 *            +----------+---------+--------+---------+-------+----------+---------+---------+
 *            position in the file, index of its section, length of the payload; checksum of [0, 28) and the payload
 *
 *   payload: entries, each     0           4        8
 *                              +-----------+--------+-------+---------+
 *                              | key group | length | bytes | padding |      padded with zeros to 8 bytes
 *                              +-----------+--------+-------+---------+
 *
 *   index:   sections (4), per section name (string), attributes (string), first block and behind the last block as
 *            positions in the file (8, 8), entries (8)
 *
 *   footer:  0          8        12        16        24      32        36        40
 *            +----------+--------+---------+---------+-------+---------+---------+
 *            | position | length | CRC-32C | entries | magic | version | CRC-32C |
 *            +----------+--------+---------+---------+-------+---------+---------+
 *            position, length and checksum of the index; checksum of [0, 36)
 * </pre>
 */
final class SegmentFormat {
    static final int VERSION = 1;
    // "WEIRSEGM" and "WEIRFOOT" read as little-endian longs, "BLOK" as an int.
    static final long MAGIC = 0x4D47455352494557L;
    static final long FOOTER_MAGIC = 0x544F4F4652494557L;
    static final int BLOCK_MAGIC = 0x4B4F4C42;

    static final int HEADER_VERSION = 8;
    static final int HEADER_CHECKSUM = 12;
    static final int HEADER_LENGTH = 16;

    static final int BLOCK_POSITION = 0;
    static final int BLOCK_SECTION = 8;
    static final int BLOCK_PAYLOAD_LENGTH = 12;
    static final int BLOCK_ENTRIES = 16;
    static final int BLOCK_MAGIC_OFFSET = 20;
    static final int BLOCK_RESERVED = 24;
    static final int BLOCK_CHECKSUM = 28;
    static final int BLOCK_HEADER_LENGTH = 32;

    static final int ENTRY_KEY_GROUP = 0;
    static final int ENTRY_LENGTH = 4;
    static final int ENTRY_HEADER_LENGTH = 8;
    static final int ENTRY_ALIGNMENT = 8;

    static final int FOOTER_INDEX_POSITION = 0;
    static final int FOOTER_INDEX_LENGTH = 8;
    static final int FOOTER_INDEX_CHECKSUM = 12;
    static final int FOOTER_ENTRIES = 16;
    static final int FOOTER_MAGIC_OFFSET = 24;
    static final int FOOTER_VERSION = 32;
    static final int FOOTER_CHECKSUM = 36;
    static final int FOOTER_LENGTH = 40;

    /** A block ends behind the entry that brings its payload to this length. */
    static final int BLOCK_FULL = 32 * 1024;

    /** The longest entry. */
    static final int MAX_ENTRY_LENGTH = 1 << 30;

    static final int MIN_INDEXED_SECTION_LENGTH = 2 * Integer.BYTES + 3 * Long.BYTES;

    private SegmentFormat() {}

    static byte[] header() {
        final ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC).putInt(HEADER_VERSION, VERSION);
        header.putInt(HEADER_CHECKSUM, checksum(header.slice(0, HEADER_CHECKSUM)));
        return header.array();
    }

    static byte[] footer(final long indexPosition, final byte[] index, final long entries) {
        final ByteBuffer footer = ByteBuffer.allocate(FOOTER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        footer.putLong(FOOTER_INDEX_POSITION, indexPosition)
                .putInt(FOOTER_INDEX_LENGTH, index.length)
                .putInt(FOOTER_INDEX_CHECKSUM, checksum(ByteBuffer.wrap(index)))
                .putLong(FOOTER_ENTRIES, entries)
                .putLong(FOOTER_MAGIC_OFFSET, FOOTER_MAGIC)
                .putInt(FOOTER_VERSION, VERSION);
        footer.putInt(FOOTER_CHECKSUM, checksum(footer.slice(0, FOOTER_CHECKSUM)));
        return footer.array();
    }

    static int checksum(final ByteBuffer bytes) {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }
}
