package io.weir.storage.pagefile;

import static io.weir.storage.pagefile.PageFormat.BLOCK_HEADER_LENGTH;
import static io.weir.storage.pagefile.PageFormat.LINE_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/** Reads the blocks of one group in one segment after the other and believes nothing that it has not compared. */
final class GroupScanner {
    private final CRC32C checksum = new CRC32C();
    private final RecordVisitor visitor;
    private PageSegmentReader segment;
    private DirectBuffer mapping;
    private ByteBuffer mappingBytes;
    /** What a place in the mapping must be moved by to be one in the file. */
    private long base;

    private int mappingNumber;
    private int lastPageNumber;

    GroupScanner(final RecordVisitor visitor) {
        this.visitor = visitor;
    }

    void scan(final PageSegmentReader reader, final int group) {
        begin(reader);
        final PageIndex index = reader.index();
        int records = 0;
        for (int block = index.firstBlock(group); block < index.endBlock(group); block++) {
            moveTo(block);
            records += scanBlock(group, block);
        }
        checkRecords(index, group, records);
    }

    /** Scans each block and tells of those that are damaged. */
    void verify(final PageSegmentReader reader, final int group, final Consumer<CorruptionException> damages) {
        begin(reader);
        final PageIndex index = reader.index();
        int records = 0;
        boolean isWhole = true;
        for (int block = index.firstBlock(group); block < index.endBlock(group); block++) {
            try {
                moveTo(block);
                records += scanBlock(group, block);
            } catch (final CorruptionException e) {
                isWhole = false;
                damages.accept(e);
            }
        }
        try {
            if (isWhole) {
                checkRecords(index, group, records);
            }
        } catch (final CorruptionException e) {
            damages.accept(e);
        }
    }

    private void begin(final PageSegmentReader reader) {
        segment = reader;
        mapping = null;
        lastPageNumber = -1;
    }

    private void checkRecords(final PageIndex index, final int group, final int records) {
        Corruption.check(
                segment.name(),
                index.blockPosition(index.firstBlock(group)),
                "records of table " + index.table(group) + ", key group " + index.keyGroup(group),
                index.records(group),
                records);
    }

    private void moveTo(final int block) {
        final int number = segment.mappingOfBlock(block);
        if (mapping == null || number != mappingNumber) {
            mapping = segment.mapping(number);
            mappingNumber = number;
            mappingBytes = mapping.byteBuffer() == null
                    ? null
                    : mapping.byteBuffer().duplicate().clear();
            base = segment.mappingPosition(number);
        }
    }

    private int scanBlock(final int group, final int block) {
        final PageIndex index = segment.index();
        final int start = (int) (index.blockPosition(block) - base);
        final int end = (int) (index.blockPosition(block + 1) - base);
        final int payload = end - start - BLOCK_HEADER_LENGTH;
        checksum.reset();
        updateChecksum(start, PageFormat.BLOCK_CHECKSUM);
        updateChecksum(start + BLOCK_HEADER_LENGTH, payload);
        final int place = start + PageFormat.BLOCK_CHECKSUM;
        checkHex(place, "checksum of the block", index.blockChecksum(block), (int) checksum.getValue());
        checkHex(place, "checksum", index.blockChecksum(block), mapping.getInt(place, LITTLE_ENDIAN));
        final long position = mapping.getLong(start + PageFormat.BLOCK_POSITION, LITTLE_ENDIAN);
        Corruption.check(segment.name(), base + start, "block position", base + start, position);
        check(start + PageFormat.BLOCK_TABLE, "table", index.table(group));
        check(start + PageFormat.BLOCK_KEY_GROUP, "key group", index.keyGroup(group));
        check(start + PageFormat.BLOCK_PAYLOAD_LENGTH, "length", payload);
        final int magic = start + PageFormat.BLOCK_MAGIC_OFFSET;
        checkHex(magic, "magic", PageFormat.BLOCK_MAGIC, mapping.getInt(magic, LITTLE_ENDIAN));
        final int records = scanRecords(start + BLOCK_HEADER_LENGTH, end);
        check(start + PageFormat.BLOCK_RECORDS, "records", records);
        return records;
    }

    private void updateChecksum(final int offset, final int length) {
        final int start = offset + mapping.wrapAdjustment();
        if (mappingBytes == null) {
            checksum.update(mapping.byteArray(), start, length);
        } else {
            checksum.update(mappingBytes.limit(start + length).position(start));
        }
    }

    private int scanRecords(final int start, final int end) {
        int records = 0;
        for (int offset = start; offset < end; records++) {
            need(offset, PageFormat.RECORD_LINES, end);
            final int head = mapping.getInt(offset, LITTLE_ENDIAN);
            final int pageNumber = head & PageFormat.MAX_PAGE_NUMBER;
            if (pageNumber <= lastPageNumber) {
                throw at(offset, "a page behind " + lastPageNumber, "page " + pageNumber);
            }
            lastPageNumber = pageNumber;
            offset = scanRecord(pageNumber, head >>> PageFormat.FORM_SHIFT, offset + PageFormat.RECORD_LINES, end);
        }
        return records;
    }

    /** Reads a record behind its head and tells where the next one begins. */
    private int scanRecord(final int pageNumber, final int form, final int offset, final int end) {
        return switch (form) {
            case PageFormat.FULL -> visitPage(pageNumber, PageFormat.ALL_LINES, offset, end);
            case PageFormat.ONE_LINE -> {
                need(offset, 1, end);
                yield visitLines(pageNumber, lineMask(offset), offset + 1, end);
            }
            case PageFormat.TWO_LINES -> {
                need(offset, 2, end);
                final long lower = lineMask(offset);
                final long upper = lineMask(offset + 1);
                if (Long.compareUnsigned(lower, upper) >= 0) {
                    throw at(offset, "two rising lines", mapping.getByte(offset) + ", " + mapping.getByte(offset + 1));
                }
                yield visitLines(pageNumber, lower | upper, offset + 2, end);
            }
            case PageFormat.SOME_LINES -> visitLines(pageNumber, mask(offset, 3, end), offset + Long.BYTES, end);
            case PageFormat.GONE -> {
                visitor.onGone(pageNumber);
                yield offset;
            }
            case PageFormat.SPARSE -> visitPage(pageNumber, mask(offset, 0, end), offset + Long.BYTES, end);
            default -> throw at(offset - PageFormat.RECORD_LINES, "a form from 0 to 5", "form " + form);
        };
    }

    private int visitPage(final int pageNumber, final long mask, final int offset, final int end) {
        final int length = Long.bitCount(mask) * LINE_LENGTH;
        need(offset, length, end);
        visitor.onPage(pageNumber, mask, mappingNumber, offset);
        return offset + length;
    }

    private int visitLines(final int pageNumber, final long mask, final int offset, final int end) {
        final int length = Long.bitCount(mask) * LINE_LENGTH;
        need(offset, length, end);
        visitor.onLines(pageNumber, mask, mappingNumber, offset);
        return offset + length;
    }

    private long lineMask(final int offset) {
        final int line = mapping.getByte(offset);
        if (line < 0 || line >= PageFormat.LINES) {
            throw at(offset, "a line from 0 to 63", "line " + line);
        }
        return 1L << line;
    }

    private long mask(final int offset, final int minLines, final int end) {
        need(offset, Long.BYTES, end);
        final long mask = mapping.getLong(offset, LITTLE_ENDIAN);
        if (Long.bitCount(mask) < minLines || mask == PageFormat.ALL_LINES) {
            throw at(offset, "a mask of " + minLines + " to 63 lines", "0x" + Long.toHexString(mask));
        }
        return mask;
    }

    private void need(final int offset, final int length, final int end) {
        if (length > end - offset) {
            throw at(offset, length + " more bytes", (end - offset) + " to the end of the block");
        }
    }

    private void check(final int offset, final String what, final int expected) {
        Corruption.check(segment.name(), base + offset, what, expected, mapping.getInt(offset, LITTLE_ENDIAN));
    }

    private void checkHex(final int offset, final String what, final int expected, final int found) {
        Corruption.checkHex(segment.name(), base + offset, what, expected, found);
    }

    private RuntimeException at(final int offset, final String expected, final String found) {
        return Corruption.at(segment.name(), base + offset, expected, found);
    }
}
